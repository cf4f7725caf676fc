/// A value that equals another by the rules of SQL.
///
///     DistinctValue(.integer(1)) == DistinctValue(.real(1))   // true
///
/// Numbers are compared by value, strings by their UTF-8: é as one scalar differs from é as two, as
/// with `==` in a predicate. Missing values are equal.
struct DistinctValue: Hashable {
  let value: Scalar?

  init(_ value: Scalar?) { self.value = value }

  static func == (one: DistinctValue, other: DistinctValue) -> Bool {
    guard let one = one.value, let other = other.value else {
      return one.value == nil && other.value == nil
    }
    return one.compare(other) == 0
  }

  func hash(into hasher: inout Hasher) {
    switch value {
    case nil: hasher.combine(0)
    // An integer hashes as the equal floating-point number.
    case .integer(let number): hasher.combine(Double(number))
    case .real(let number): hasher.combine(number)
    case .text(let bytes), .bytes(let bytes): hasher.combine(bytes)
    }
  }
}
