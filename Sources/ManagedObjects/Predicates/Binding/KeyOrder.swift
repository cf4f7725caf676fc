/// Detects whether rows arrive in the order of their primary keys.
struct KeyOrder {
  private var last = Int64.min
  /// Whether a row arrived after one with a larger key.
  private(set) var isBroken = false

  mutating func add(_ key: Int64) {
    if key < last { isBroken = true }
    last = key
  }
}
