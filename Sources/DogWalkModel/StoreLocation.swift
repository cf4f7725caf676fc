import ManagedObjects
package import SystemLibraries

/// Where the walks are kept.
///
///     let url = try StoreLocation.url(named: nil, environment: { environment[$0] })
package enum StoreLocation {
  /// Why there is no place for the store.
  package enum Failure: Error, Sendable, Hashable {
    /// Neither a store nor a home folder is named; a relative one does not count.
    case noHome
    /// What looks like a server's URL cannot be read; shown without its password.
    case notAURL(String)
    /// A URL of what is neither a file nor on a server, as `https://db.example/walks`; shown
    /// without its password.
    case otherURL(String)
    /// A folder on the way cannot be made.
    case folder(path: String, errno: Int32)
  }

  /// Whether a text names a store on a server, and not a file.
  package static func isServer(_ text: String) -> Bool {
    scheme(of: text).map { serverSchemes.contains($0) } ?? false
  }

  private static let serverSchemes = ["postgres", "postgresql"]

  /// The word before `://` at the start of a text, in small letters; nil where it is a path.
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

  /// A store as it is kept in settings: its path, or its server's URL with the scheme in small
  /// letters.
  ///
  ///     try StoreLocation.checked("POSTGRES://db/walks")   // "postgres://db/walks"
  ///
  /// - Throws: `Failure.otherURL` where it is the URL of anything else, which could be taken for
  ///   the path of a file in a folder `https:`.
  package static func checked(_ text: String) throws(Failure) -> String {
    guard let scheme = scheme(of: text) else { return text }
    guard serverSchemes.contains(scheme) else { throw .otherURL(withoutPassword(text)) }
    return scheme + String(text.dropFirst(scheme.count))
  }

  private static func url(of text: String, environment: (String) -> String?) throws -> URL {
    let text = try checked(text)
    guard isServer(text) else { return fileURL(of: text, environment: environment) }
    guard let url = URL(string: text) else { throw Failure.notAURL(shown(text)) }
    return url
  }

  /// The file of a path, in which a `~` at the start is `$HOME`, as for the usual place.
  ///
  ///     StoreLocation.fileURL(of: "~/walks.sqlite") { _ in "/home/ana" }.path
  ///     // "/home/ana/walks.sqlite"
  ///
  /// - Parameter environment: gives the value of a variable.
  package static func fileURL(of path: String, environment: (String) -> String?) -> URL {
    URL(filePath: expandingTilde(in: path, environment: environment))
  }

  /// A path with `$HOME` for a `~` at its start.
  ///
  /// Where that is no absolute path, and of `~ana`, the path is meant as it stands.
  /// Shells leave the `~` of `--store=~/walks.sqlite` alone, and `URL(filePath:)` takes the home
  /// folder in the system's list of users for it, which may be another one.
  ///
  /// - Parameter environment: gives the value of a variable.
  package static func expandingTilde(
    in path: String, environment: (String) -> String?
  ) -> String {
    guard path.hasPrefix("~") else { return path }
    guard path == "~" || path.hasPrefix("~/"), let home = environment("HOME"), home.hasPrefix("/")
    else { return "./" + path }
    return home + String(path.dropFirst())
  }

  /// A word of a command, or a setting, as it may be shown: where it is a server's URL, or an
  /// option with one, without the password.
  package static func shown(_ word: String) -> String {
    var (option, text) = ("", word)
    if word.hasPrefix("--"), let mark = word.firstIndex(of: "=") {
      (option, text) = (String(word[...mark]), String(word[word.index(after: mark)...]))
    }
    return isServer(text) ? option + withoutPassword(text) : word
  }

  private static func withoutPassword(_ url: String) -> String {
    // What a password is in one that cannot be read nobody can tell, and none can be in a file's.
    let readable = URL(string: url).flatMap { $0.isFileURL ? nil : $0.location }
    return readable ?? String(url.prefix { $0 != ":" }) + "://…"
  }

  /// The store's file: the one named, else `DOGWALK_STORE`, else the usual place of the system.
  ///
  /// - Parameter environment: gives the value of a variable.
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

  /// The usual folder of the system for what a program keeps.
  ///
  /// - Parameter environment: gives the value of a variable.
  /// - Throws: `Failure.noHome`.
  package static func dataFolder(environment: (String) -> String?) throws(Failure) -> URL {
    // The XDG specification has relative paths ignored.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(filePath: data + "/dogwalk")
    }
    // A relative one would make a store wherever the program is started.
    guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noHome }
    return URL(filePath: "\(home)/\(Platform.dataFolder)/dogwalk")
  }

  /// Makes the folders above a file, for nobody but their owner (mode 0700).
  ///
  /// - Throws: `Failure.folder` where that does not go.
  package static func makeFolder(for url: URL) throws {
    let folder = url.deletingLastPathComponent().path
    var info = stat()
    guard stat(folder, &info) != 0 else { return }
    var path = ""
    for name in folder.split(separator: "/", omittingEmptySubsequences: true) {
      path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + name
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      // A folder that may not be written to, but is there, answers with another error.
      let code = errno
      if stat(path, &info) != 0 { throw Failure.folder(path: path, errno: code) }
    }
  }
}
