import SystemLibraries

/// A finished process: its duration, memory and output.
struct ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The time from before the start until the end was reported.
  let duration: Duration
  /// The maximum memory usage in bytes.
  ///
  /// If this process used more when it started the other one, the system reports that value: never
  /// too little.
  let peakMemory: Int
  /// The number of lines of its output, if they were read.
  let lines: Int

  /// The destination of a program's output.
  enum Output {
    /// The null device.
    case nothing
    /// A pipe, whose lines are read and counted.
    case pipe
    /// A terminal of 80 by 24 characters, likewise.
    case terminal

    /// Returns the ends for reading and writing; -1 for the null device.
    fileprivate func ends() throws -> (reading: Int32, writing: Int32) {
      var (reading, writing): (Int32, Int32) = (-1, -1)
      switch self {
      case .nothing: break
      case .pipe:
        var both: [Int32] = [-1, -1]
        guard makePipe(&both) == 0 else {
          throw Failure(description: "no pipe could be created")
        }
        (reading, writing) = (both[0], both[1])
      case .terminal:
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&reading, &writing, nil, nil, &size) == 0 else {
          throw Failure(description: "no terminal could be opened")
        }
      }
      return (reading, writing)
    }
  }

  /// Runs a program without input, with its output discarded or counted.
  ///
  /// - Parameters:
  ///   - environment: all variables, as `NAME=value`.
  ///   - output: the destination of its output.
  /// - Throws: ``Failure`` if it cannot be started or does not exit with 0.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String], environment: [String] = [],
    output: Output = .nothing
  ) throws -> ChildProcess {
    let ends = try output.ends()
    let isRead = ends.reading >= 0
    var actions = FileActions(pipe: isRead ? ends : nil)
    defer { actions.destroy() }
    let words = CStrings([program] + arguments)
    let variables = CStrings(environment)
    defer {
      words.destroy()
      variables.destroy()
    }

    let clock = ContinuousClock()
    let start = clock.now
    var process: pid_t = 0
    let error = posix_spawn(
      &process, program, &actions.actions, nil, words.pointers, variables.pointers)
    if isRead { close(ends.writing) }
    defer { if isRead { close(ends.reading) } }
    guard error == 0 else {
      let reason = String(cString: strerror(error))
      throw Failure(description: "\(program) cannot be started: \(reason)")
    }
    let lines = isRead ? countLines(from: ends.reading) : 0
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) == -1 && errno == EINTR {}
    let duration = clock.now - start

    guard status == 0 else {
      throw Failure(description: "\(program) \(arguments) ended with wait status \(status)")
    }
    return ChildProcess(duration: duration, peakMemory: usage.peakMemory, lines: lines)
  }

  /// Reads to the end, and returns the number of lines.
  private static func countLines(from descriptor: Int32) -> Int {
    var lines = 0
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        for byte in buffer.prefix(count) where byte == UInt8(ascii: "\n") { lines += 1 }
      }
    }
    return lines
  }

  /// Returns the path of a program as a shell finds it; `nil` if there is none.
  static func path(of program: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}

// Inside the type this name is a case.
private let makePipe = pipe

/// Standard input and output of a child: the null device, or a pipe to write to.
private struct FileActions {
  var actions = emptySpawnFileActions()

  init(pipe: (reading: Int32, writing: Int32)?) {
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    guard let pipe else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      return
    }
    posix_spawn_file_actions_adddup2(&actions, pipe.writing, STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, pipe.reading)
    posix_spawn_file_actions_addclose(&actions, pipe.writing)
  }

  mutating func destroy() { posix_spawn_file_actions_destroy(&actions) }
}

/// Strings as a C array of pointers that ends with a null pointer.
private struct CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: count + 1)
    for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
    (pointers + count).initialize(to: nil)
  }

  func destroy() {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
