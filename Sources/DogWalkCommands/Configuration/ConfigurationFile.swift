import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The settings file of `dogwalk config`, with a line for each setting.
///
/// ```text
/// # who walks unless --by says otherwise
/// by = Ana
/// clock = 12
/// ```
///
/// Comments, empty lines and unknown settings are preserved byte by byte.
struct ConfigurationFile {
  /// Its path.
  let path: String
  /// The byte order mark that some editors put before the first line.
  private var mark: [UInt8] = []
  /// The lines, without their line feeds.
  private var lines: [[UInt8]] = []

  /// Returns the path of the file; `nil` if neither variable is set.
  ///
  /// This is `$XDG_CONFIG_HOME/dogwalk/config`, else `~/.config/dogwalk/config`.
  static func path(_ environment: Environment) -> String? {
    // The XDG specification requires relative paths to be ignored.
    if let folder = environment.nonEmpty("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/dogwalk/config"
    }
    guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/dogwalk/config"
  }

  /// Reads the file; a missing one counts as empty.
  ///
  /// - Throws: `Complaint` if it cannot be read.
  init(readingFrom path: String) throws {
    self.path = path
    var info = stat()
    guard path.withSystemPath({ stat($0, &info) }) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw Complaint(reading: path, .system(errno: errno))
      }
      return
    }
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: path, atMost: 1 << 20)
    } catch {
      throw Complaint(reading: path, error)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { mark = Array(bytes[..<3]) }
    lines = bytes[mark.count...].split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { Array($0) }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
  }

  /// A line that sets a value.
  struct Entry: Hashable {
    /// The name of the setting, which may be unknown.
    let key: String
    /// Its value.
    let value: String
    /// The line number, from 1.
    let line: Int
  }

  /// The lines that set values, in order.
  var entries: [Entry] {
    lines.indices.compactMap { index in
      guard let (key, value) = Self.parts(of: lines[index]) else { return nil }
      return Entry(key: key, value: value, line: index + 1)
    }
  }

  /// The numbers of the lines that are neither settings, comments nor empty.
  var unreadableLines: [Int] {
    lines.indices.filter { index in
      let text = String(decoding: lines[index], as: UTF8.self).drop(while: \.isWhitespace)
      return !text.isEmpty && text.first != "#" && Self.parts(of: lines[index]) == nil
    }.map { $0 + 1 }
  }

  /// The line that sets a value, the last one if there are several.
  subscript(setting: Setting) -> Entry? { entries.last { $0.key == setting.rawValue } }

  private static func parts(of bytes: [UInt8]) -> (key: String, value: String)? {
    let line = String(decoding: bytes, as: UTF8.self)
    guard line.first(where: { !$0.isWhitespace }) != "#", let mark = line.firstIndex(of: "=") else {
      return nil
    }
    func trimmed(_ part: Substring) -> String {
      var part = part
      while part.first?.isWhitespace == true { part.removeFirst() }
      while part.last?.isWhitespace == true { part.removeLast() }
      return String(part)
    }
    let key = trimmed(line[..<mark])
    return key.isEmpty ? nil : (key, trimmed(line[line.index(after: mark)...]))
  }

  // MARK: Writing

  /// Returns whether a value can be stored unchanged; one with white space at either end cannot.
  static func keeps(_ value: String) -> Bool {
    let line = Self.line(.store, value)
    return !line.contains(0x0A) && parts(of: line).map { $0.value == value } ?? false
  }

  private static func line(_ setting: Setting, _ value: String) -> [UInt8] {
    Array("\(setting.rawValue) = \(value)".utf8)
  }

  /// Sets or removes a value in the current file, which other processes may have changed; the file
  /// is replaced.
  ///
  /// - Throws: `Complaint` if it cannot be read or written.
  static func set(_ setting: Setting, to value: String?, at path: String) throws {
    do {
      try StoreLocation.makeFolder(for: URL(filePath: path))
    } catch StoreLocation.Failure.folder(let path, let code) {
      throw Complaint(
        makingFolder: path, errno: code, hint: "Set XDG_CONFIG_HOME to a folder elsewhere.")
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let lock = folder.withSystemPath { open($0, O_RDONLY | O_CLOEXEC) }
    // If the folder cannot be locked, the last of two concurrent writers wins.
    if lock >= 0 { _ = flock(lock, LOCK_EX) }
    defer { if lock >= 0 { close(lock) } }
    var file = try ConfigurationFile(readingFrom: path)
    file.set(setting, to: value)
    do {
      // The file may contain a server's password.
      let output = try OutputFile(path, isPrivate: true)
      try output.sink.write(contentsOf: file.mark)
      for line in file.lines { try output.sink.write(contentsOf: line + [0x0A]) }
      try output.finish()
    } catch let error as OutputFile.Failure {
      throw Complaint(writing: path, error)
    } catch OutputError.failed(let code) {
      throw Complaint(writing: path, errno: code)
    }
  }

  private mutating func set(_ setting: Setting, to value: String?) {
    let old = entries.filter { $0.key == setting.rawValue }.map { $0.line - 1 }
    if let value {
      // In a file with Windows line ends, the new line has one too.
      let end = (old.last.map { lines[$0] } ?? lines.last)?.last == 0x0D ? [0x0D] as [UInt8] : []
      let line = Self.line(setting, value) + end
      if let last = old.last { lines[last] = line } else { lines.append(line) }
    }
    // Overridden lines are removed as well, from the end so that the indices stay valid.
    for index in (value == nil ? old : old.dropLast()).reversed() { lines.remove(at: index) }
  }
}
