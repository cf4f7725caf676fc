import SystemLibraries

/// The folders for stores and caches of programs that name none.
enum DefaultFolder {
  /// Where it is: what the XDG specification says, and Apple's systems on theirs.
  ///
  /// - Parameter environment: gives the value of a variable.
  /// - Throws: `PersistentStoreError.noDefaultFolder`.
  static func url(
    program: String = programName, _ environment: (String) -> String?
  ) throws(PersistentStoreError) -> URL {
    // Relative paths would lead wherever the program is started; the specification ignores them.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(filePath: "\(data)/\(program)", directoryHint: .isDirectory)
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noDefaultFolder }
    return URL(
      filePath: "\(home)/\(Platform.dataFolder)/\(program)", directoryHint: .isDirectory)
  }

  /// The folder for what programs can make anew, likewise.
  ///
  /// - Throws: `PersistentStoreError.noDefaultFolder`.
  static func caches(
    program: String = programName, _ environment: (String) -> String?
  ) throws(PersistentStoreError) -> URL {
    if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") {
      return URL(filePath: "\(caches)/\(program)", directoryHint: .isDirectory)
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noDefaultFolder }
    return URL(
      filePath: "\(home)/\(Platform.cacheFolder)/\(program)", directoryHint: .isDirectory)
  }

  /// The last part of the program's path.
  private static var programName: String {
    let path = CommandLine.unsafeArgv[0].map { String(cString: $0) } ?? ""
    return path.split(separator: "/").last.map(String.init) ?? "swift"
  }

  /// Makes it, and the folders above it, for nobody but their owner (mode 0700).
  ///
  /// - Throws: `PersistentStoreError`.
  static func make(_ url: URL) throws {
    var path = ""
    for name in url.filePath.split(separator: "/") {
      path += "/" + name
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      // A folder that may not be written to, but is there, answers with another error.
      let code = errno
      if access(path, F_OK) != 0 { throw PersistentStoreError(errno: code, at: url) }
    }
  }
}
