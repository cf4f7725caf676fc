/// How many times as long something takes with four times as much: about 4 where that is linear, 16
/// where it goes by the square.
///
/// The shortest of three attempts counts, since all tests run at once.
func growth(from count: Int, _ body: (_ count: Int) throws -> Duration) throws -> Double {
  func shortest(_ count: Int) throws -> Duration {
    var shortest = try body(count)
    for _ in 0..<2 { shortest = min(shortest, try body(count)) }
    return shortest
  }
  let small = try shortest(count)
  return try shortest(4 * count) / small
}
