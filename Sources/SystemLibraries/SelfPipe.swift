/// A pipe that wakes up a program's own `poll` from another thread or from a signal handler.
///
///     let pipe = SelfPipe()
///     var state = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
///     poll(&state, 1, -1)     // until somebody calls SelfPipe.wake(pipe.writeEnd)
///     pipe.drain()
///
/// Neither end blocks, and child processes do not inherit them. If the system has no descriptors
/// left, both ends are -1, which `poll` ignores.
package struct SelfPipe: Sendable {
  /// The end that becomes readable.
  package let readEnd: Int32
  /// The end that is written to.
  package let writeEnd: Int32

  /// Creates a pipe.
  package init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  /// Makes the read end readable; safe in signal handlers, since it only calls `write` and restores
  /// `errno`.
  package static func wake(_ writeEnd: Int32) {
    let code = errno
    var byte: UInt8 = 0
    // A full pipe is readable as well.
    _ = write(writeEnd, &byte, 1)
    errno = code
  }

  /// Reads everything that was written.
  package func drain() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while read(readEnd, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  /// Closes both ends.
  package func close() {
    for end in [readEnd, writeEnd] where end >= 0 { closeDescriptor(end) }
  }
}

/// The system's `close`, which a method of that name hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
