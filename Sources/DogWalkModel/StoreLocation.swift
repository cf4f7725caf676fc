import ManagedObjects
package import SystemLibraries

/// Locates the store with the walks.
///
///     let url = try StoreLocation.url(named: nil, environment: { environment[$0] })
package enum StoreLocation {
  /// The reasons why the store cannot be located.
  package enum Failure: Error, Sendable, Hashable {
    /// No store is named, and there is no home folder; a relative `HOME` does not count.
    case noHome
    /// Text that looks like a server URL but cannot be parsed; shown without its password.
    case notAURL(String)
    /// A URL that denotes neither a file nor a server, such as `https://db.example/walks`; shown
    /// without its password.
    case otherURL(String)
    /// A parent folder cannot be created.
    case folder(path: String, errno: Int32)
  }

  /// Whether a text names a store on a server rather than a file.
  package static func isServer(_ text: String) -> Bool {
    scheme(of: text).map { serverSchemes.contains($0) } ?? false
  }

  private static let serverSchemes = ["postgres", "postgresql"]

  /// Whether a text begins like a server's URL, without the slashes.
  private static func lacksSlashes(_ text: String) -> Bool {
    let word = text.prefix { $0 != ":" }
    return word.endIndex != text.endIndex && serverSchemes.contains(word.lowercased())
      && scheme(of: text) == nil
  }

  /// Returns the lowercase word before `://` at the start of a text; nil for a path.
  private static func scheme(of text: String) -> String? {
    let bytes = text.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[mark...].starts(with: "://".utf8)
    else { return nil }
    let word = text[..<mark].lowercased()
    let isWord = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "+"), UInt8(ascii: "-"): true
      default: false
      }
    }
    return isWord && !word.isEmpty ? word : nil
  }

  /// Returns a store as settings keep it: its path, or its server URL with a lowercase scheme.
  ///
  ///     try StoreLocation.checked("POSTGRES://db/walks")   // "postgres://db/walks"
  ///
  /// - Throws: `Failure.otherURL` for any other URL, which could be taken for the path of a file
  ///   in a folder named `https:`; `Failure.notAURL` for a server's without `//`.
  package static func checked(_ text: String) throws(Failure) -> String {
    guard let scheme = scheme(of: text) else {
      guard !lacksSlashes(text) else { throw .notAURL(withoutPassword(text)) }
      return text
    }
    guard serverSchemes.contains(scheme) else { throw .otherURL(withoutPassword(text)) }
    return scheme + String(text.dropFirst(scheme.count))
  }

  private static func url(of text: String, environment: (String) -> String?) throws -> URL {
    let text = try checked(text)
    guard isServer(text) else { return fileURL(of: text, environment: environment) }
    guard let url = URL(string: text) else { throw Failure.notAURL(shown(text)) }
    return url
  }

  /// Returns the file URL of a path, with a leading `~` replaced by `$HOME` as for the default
  /// location.
  ///
  ///     StoreLocation.fileURL(of: "~/walks.sqlite") { _ in "/home/ana" }.path
  ///     // "/home/ana/walks.sqlite"
  ///
  /// - Parameter environment: returns the value of an environment variable.
  package static func fileURL(of path: String, environment: (String) -> String?) -> URL {
    URL(filePath: expandingTilde(in: path, environment: environment))
  }

  /// Returns a path with a leading `~` replaced by `$HOME`.
  ///
  /// If `$HOME` is not an absolute path, and for `~ana`, the path is returned unchanged. Shells do
  /// not expand the `~` in `--store=~/walks.sqlite`, and `URL(filePath:)` would replace it by the
  /// home folder in the system's user database, which may be a different one.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  package static func expandingTilde(
    in path: String, environment: (String) -> String?
  ) -> String {
    guard path.hasPrefix("~") else { return path }
    guard path == "~" || path.hasPrefix("~/"), let home = environment("HOME"), home.hasPrefix("/")
    else { return "./" + path }
    return home + String(path.dropFirst())
  }

  /// Returns a command-line argument or a setting as it may be displayed: without the password if
  /// it is a server URL or an option with one.
  package static func shown(_ word: String) -> String {
    var (option, text) = ("", word)
    if word.hasPrefix("--"), let mark = word.firstIndex(of: "=") {
      (option, text) = (String(word[...mark]), String(word[word.index(after: mark)...]))
    }
    return isServer(text) || lacksSlashes(text) ? option + withoutPassword(text) : word
  }

  private static func withoutPassword(_ url: String) -> String {
    // The password cannot be located in a URL that cannot be parsed; a file URL cannot have one.
    let readable =
      lacksSlashes(url) ? nil : URL(string: url).flatMap { $0.isFileURL ? nil : $0.location }
    return readable ?? String(url.prefix { $0 != ":" }) + "://…"
  }

  /// Returns the store's URL: the one given, else `DOGWALK_STORE`, else the default location.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  /// - Throws: `Failure.noHome`; `Failure.notAURL`; `Failure.otherURL`.
  package static func url(
    named path: String?, environment: (String) -> String?
  ) throws -> URL {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let path = path ?? value("DOGWALK_STORE") {
      return try url(of: path, environment: environment)
    }
    return try dataFolder(environment: value).appending(path: "DogWalk.sqlite")
  }

  /// Returns the system's default folder for application data.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  /// - Throws: `Failure.noHome`.
  package static func dataFolder(environment: (String) -> String?) throws(Failure) -> URL {
    // The XDG specification requires that relative paths are ignored.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(filePath: data + "/dogwalk")
    }
    // A relative path would create a store wherever the program is started.
    guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noHome }
    return URL(filePath: "\(home)/\(Platform.dataFolder)/dogwalk")
  }

  /// Creates the folders above a file, accessible only to their owner (mode 0700).
  ///
  /// - Throws: `Failure.folder` if a folder cannot be created.
  package static func makeFolder(for url: URL) throws {
    let folder = url.deletingLastPathComponent().path
    var info = stat()
    guard stat(folder, &info) != 0 else { return }
    var path = ""
    for name in folder.split(separator: "/", omittingEmptySubsequences: true) {
      path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + name
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      // For an existing folder without write permission, `mkdir` may fail with another error.
      let code = errno
      if stat(path, &info) != 0 { throw Failure.folder(path: path, errno: code) }
    }
  }
}
