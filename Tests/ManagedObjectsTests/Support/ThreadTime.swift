#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How long this thread has worked, whatever else the machine has to do.
enum ThreadTime {
  /// How many times as long a body takes with four times as much; about 4 where it costs the same
  /// for each, 16 where it costs as much as there are.
  static func growth(from count: Int, _ body: (Int) throws -> Double) rethrows -> Double {
    _ = try body(count)
    return try body(4 * count) / body(count)
  }

  /// The seconds that a body takes.
  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return now - start
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
