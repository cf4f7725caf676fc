#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that is run to its end, as a shell would: what it took, and what it said.
struct ChildProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// From just before it was started until it was waited for.
  let duration: Duration
  /// The most memory that it held, in bytes.
  ///
  /// Where this process itself held more when it started the other, the system reports that: never
  /// too little.
  let peakMemory: Int

  /// Runs a program with nothing to read and its output thrown away.
  ///
  /// - Parameters:
  ///   - environment: all of it, as `NAME=value`.
  ///   - isOnTerminal: whether its output goes to a terminal, of 80 by 24.
  /// - Throws: ``Failure`` where it cannot be started or does not end with 0.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String], environment: [String] = [],
    isOnTerminal: Bool = false
  ) throws -> ChildProcess {
    let terminal = try isOnTerminal ? NullTerminal() : nil
    var actions = FileActions(output: terminal?.device)
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
    guard error == 0 else {
      let reason = String(cString: strerror(error))
      throw Failure(description: "\(program) cannot be started: \(reason)")
    }
    terminal?.drain()
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) == -1 && errno == EINTR {}
    let duration = clock.now - start

    guard status == 0 else {
      throw Failure(description: "\(program) \(arguments) ended with wait status \(status)")
    }
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return ChildProcess(duration: duration, peakMemory: usage.ru_maxrss * unit)
  }

  /// Where a program lies that a shell would find; `nil` where there is none.
  static func path(of program: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}

/// A terminal whose output is thrown away.
private final class NullTerminal {
  /// What a child writes to.
  private(set) var device: Int32 = -1
  private var master: Int32 = -1

  init() throws {
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &device, nil, nil, &size) == 0 else {
      throw ChildProcess.Failure(description: "there is no terminal to be had")
    }
    for descriptor in [master, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// Reads until the child has ended, which was started.
  func drain() {
    close(device)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(master, &buffer, buffer.count) > 0 {}
    close(master)
  }
}

/// Standard input and output of a child: the null device, or a terminal.
private struct FileActions {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = posix_spawn_file_actions_t()
  #endif

  init(output: Int32?) {
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
  }

  mutating func destroy() { posix_spawn_file_actions_destroy(&actions) }
}

/// Texts as C wants them: an array of pointers that ends with a null pointer.
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
