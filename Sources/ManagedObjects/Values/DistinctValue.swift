/// A value that is the same as another where SQL says so.
///
///     DistinctValue(.integer(1)) == DistinctValue(.real(1))   // true
///
/// Numbers by their size, texts by their UTF-8: é in one scalar is another text than é in two, as
/// with `==` in a predicate. Missing values are the same.
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
    // A whole number hashes as the floating-point number that is as large.
    case .integer(let number): hasher.combine(Double(number))
    case .real(let number): hasher.combine(number)
    case .text(let bytes), .bytes(let bytes): hasher.combine(bytes)
    }
  }
}
