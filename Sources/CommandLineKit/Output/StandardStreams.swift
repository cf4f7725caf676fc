import SystemLibraries

/// The three streams a process is started with.
package enum StandardStreams {
  /// Makes them safe to write to; to be called before anything else is opened.
  ///
  /// From then on a closed pipe is an error and no end, and descriptors 0 to 2 are never those of
  /// another file.
  package static func prepare() {
    OutputSink.ignoreBrokenPipeSignals()
    occupyStandardDescriptors()
  }

  /// Gives a standard stream that was closed a place, so that no other file takes its number.
  ///
  /// Else `dogwalk add >&-` would open the store as descriptor 1 and write its answer into it. The
  /// place cannot be written to, so that writing there still fails.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is given out: all below it are taken.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
