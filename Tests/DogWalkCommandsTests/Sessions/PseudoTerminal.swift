import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A terminal without a user: programs write to its path, the test reads what they wrote.
final class PseudoTerminal {
  struct Failure: Error {}

  /// A character that no program prints: the writer ends each part of the output with it.
  static let mark: UInt8 = 0o36

  /// The device that programs open.
  let path: String
  private let master: Int32
  /// Kept open, so that the terminal does not hang up between two programs.
  private let device: Int32

  /// Opens one of a size written as `80x24`.
  init(size: String) throws {
    let numbers = size.split(separator: "x").compactMap { UInt16($0) }
    guard numbers.count == 2 else { throw Failure() }
    var window = winsize(ws_row: numbers[1], ws_col: numbers[0], ws_xpixel: 0, ws_ypixel: 0)
    // All zero: line ends arrive as they were written, not as carriage return and line feed.
    var settings = termios()
    var (master, device): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &device, nil, &settings, &window) == 0, let name = ttyname(device),
      fcntl(master, F_SETFL, O_NONBLOCK) == 0
    else { throw Failure() }
    path = String(cString: name)
    (self.master, self.device) = (master, device)
  }

  deinit {
    close(master)
    close(device)
  }

  /// The parts that were written until a program ended, without their marks.
  ///
  /// Reads while the program runs: a terminal buffers only some thousand bytes, then its writers
  /// wait.
  func parts(_ count: Int, until process: Process) -> [Data] {
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let hasEnded = !process.isRunning
      var wanted = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&wanted, 1, 100) > 0
      let read = isReady ? read(master, &buffer, buffer.count) : 0
      output += buffer.prefix(max(read, 0))
      let parts = output.split(separator: Self.mark, omittingEmptySubsequences: false).dropLast()
      // The last output arrives a little after its writer has ended.
      if hasEnded, !isReady || parts.count == count { return Array(parts) }
    }
  }
}
