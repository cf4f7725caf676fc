import SystemLibraries

/// The default folders for stores and caches.
enum DefaultFolder {
  /// The folder for stores: as in the XDG specification, or Apple's convention on Apple's systems.
  ///
  /// - Parameter environment: returns the value of a variable.
  /// - Throws: `PersistentStoreError.noDefaultFolder`.
  static func url(
    program: String = programName, _ environment: (String) -> String?
  ) throws(PersistentStoreError) -> URL {
    // Relative paths would depend on the working directory; the specification ignores them.
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(filePath: "\(data)/\(program)", directoryHint: .isDirectory)
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { throw .noDefaultFolder }
    return URL(
      filePath: "\(home)/\(Platform.dataFolder)/\(program)", directoryHint: .isDirectory)
  }

  /// The folder for files that programs can regenerate, likewise.
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

  /// Creates the folder and its parents, accessible only to their owner (mode 0700).
  ///
  /// - Throws: `PersistentStoreError`.
  static func make(_ url: URL) throws {
    var path = ""
    for name in url.filePath.split(separator: "/") {
      path += "/" + name
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      // For an existing folder that is not writable, the error is a different one.
      let code = errno
      if access(path, F_OK) != 0 { throw PersistentStoreError(errno: code, at: url) }
    }
  }
}
