/// The differences between Linux and Apple's systems other than the available libraries.
///
/// No other code distinguishes the systems, so this is what must be adapted for another one. The
/// branches for Darwin have never been built.
package enum Platform {
  /// The folder for application data within the home folder: `.local/share`.
  package static var dataFolder: String {
    #if canImport(Darwin)
      "Library/Application Support"
    #else
      ".local/share"
    #endif
  }

  /// The folder for caches within the home folder: `.cache`.
  package static var cacheFolder: String {
    #if canImport(Darwin)
      "Library/Caches"
    #else
      ".cache"
    #endif
  }

  /// Whether a lock by `flock` conflicts with SQLite's byte-range locks.
  package static var flockConflictsWithSQLite: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  /// Whether a disk may keep data in its own cache after `fsync`.
  package static var needsFullSync: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }
}

extension stat {
  /// The time of the last modification of the file's contents.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension rusage {
  /// The peak memory of a process, in bytes.
  package var peakMemory: Int {
    #if canImport(Darwin)
      ru_maxrss
    #else
      ru_maxrss * 1024
    #endif
  }
}

#if canImport(Darwin)
  /// The file actions of `posix_spawn`.
  package typealias SpawnFileActions = posix_spawn_file_actions_t?
#else
  /// The file actions of `posix_spawn`.
  package typealias SpawnFileActions = posix_spawn_file_actions_t
#endif

/// An uninitialised value for `posix_spawn_file_actions_init`.
package func emptySpawnFileActions() -> SpawnFileActions {
  #if canImport(Darwin)
    nil
  #else
    posix_spawn_file_actions_t()
  #endif
}
