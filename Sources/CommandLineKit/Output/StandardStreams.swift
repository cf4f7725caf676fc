import SystemLibraries

/// The three standard streams of a process.
package enum StandardStreams {
  /// Makes the streams safe to write to; call it before any other file is opened.
  ///
  /// Afterwards a write to a closed pipe is an error rather than a fatal signal, and descriptors 0
  /// to 2 never belong to other files.
  package static func prepare() {
    OutputSink.ignoreWriteSignals()
    occupyStandardDescriptors()
  }

  /// Opens a placeholder for each closed standard stream, so that no other file gets its number.
  ///
  /// Otherwise `dogwalk add >&-` would open the store as descriptor 1 and write its output into it.
  /// The placeholder is read-only, so that writing to the stream still fails.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is assigned, and all below it are taken.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
