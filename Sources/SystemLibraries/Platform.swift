/// What differs between Linux and Apple's systems, beyond which libraries there are.
///
/// Nothing else in the programs and the library asks for the system, so whoever brings them to
/// another one finds here what there is to decide. The branches for Darwin have never been built.
package enum Platform {
  /// Where programs keep their data in a home folder: `.local/share`.
  package static var dataFolder: String {
    #if canImport(Darwin)
      "Library/Application Support"
    #else
      ".local/share"
    #endif
  }

  /// Where programs keep what they can make anew: `.cache`.
  package static var cacheFolder: String {
    #if canImport(Darwin)
      "Library/Caches"
    #else
      ".cache"
    #endif
  }

  /// Whether a lock of `flock` conflicts with the byte-range locks that SQLite takes.
  package static var fileLocksMeet: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  /// Whether a disk may still keep in its own memory what `fsync` has written.
  package static var needsFullSync: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }
}

extension stat {
  /// When the file's contents were changed last.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension rusage {
  /// The most memory that a process had at once, in bytes.
  package var peakMemory: Int {
    #if canImport(Darwin)
      ru_maxrss
    #else
      ru_maxrss * 1024
    #endif
  }
}

#if canImport(Darwin)
  /// What `posix_spawn` does with files before a program begins.
  package typealias SpawnFileActions = posix_spawn_file_actions_t?
#else
  /// What `posix_spawn` does with files before a program begins.
  package typealias SpawnFileActions = posix_spawn_file_actions_t
#endif

/// File actions to be given to `posix_spawn_file_actions_init`.
package func emptySpawnFileActions() -> SpawnFileActions {
  #if canImport(Darwin)
    nil
  #else
    posix_spawn_file_actions_t()
  #endif
}
