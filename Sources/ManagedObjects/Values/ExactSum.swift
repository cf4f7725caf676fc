/// A sum of numbers that does not depend on their order, the same in memory and within SQL.
///
/// Integers are added exactly; floating-point numbers as if exactly, and rounded once at the end
/// (Shewchuk's algorithm). A missing value counts as 0.
struct ExactSum {
  private(set) var count = 0
  private var whole: Int128 = 0
  private var hasReals = false
  /// Non-overlapping numbers, the smallest first; their exact sum is that of all so far.
  private var partials: [Double] = []
  /// The sum of infinite numbers, and of sums that overflowed.
  private var infinite = 0.0

  mutating func add(_ value: Scalar?) {
    count += 1
    switch value {
    case .integer(let number): whole += Int128(number)
    case .real(let number):
      hasReals = true
      add(number)
    case .text, .bytes, nil: break
    }
  }

  private mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    var number = number
    var kept = 0
    for partial in partials {
      var other = partial
      if number.magnitude < other.magnitude { swap(&number, &other) }
      let sum = number + other
      guard sum.isFinite else {
        infinite += sum
        partials = []
        return
      }
      let error = other - (sum - number)
      if error != 0 {
        partials[kept] = error
        kept += 1
      }
      number = sum
    }
    partials.removeSubrange(kept...)
    partials.append(number)
  }

  /// The sum: an integer if all numbers were and it fits; nil if infinities cancel each other.
  var sum: Scalar? {
    if !hasReals, let whole = Int64(exactly: whole) { return .integer(whole) }
    let sum = real
    return sum.isNaN ? nil : .real(sum)
  }

  /// The sum divided by the number of values, including missing ones; 0 for none.
  var average: Scalar? {
    guard count > 0 else { return .real(0) }
    let average = (hasReals ? real : Double(whole)) / Double(count)
    return average.isNaN ? nil : .real(average)
  }

  private var real: Double {
    var copy = self
    if copy.whole != 0 {
      // In two parts, since a double does not hold all digits.
      let upper = Double(copy.whole)
      copy.add(upper)
      copy.add(Double(copy.whole - Int128(upper)))
    }
    if copy.infinite != 0 || copy.infinite.isNaN { return copy.infinite }
    // The largest first: the first sum that is not exact is the result, rounded.
    var total = 0.0
    var rest = 0.0
    var index = copy.partials.count
    while index > 0, rest == 0 {
      index -= 1
      let sum = total + copy.partials[index]
      rest = copy.partials[index] - (sum - total)
      total = sum
    }
    // Ties are broken by the remaining partials.
    if index > 0,
      rest < 0 && copy.partials[index - 1] < 0 || rest > 0 && copy.partials[index - 1] > 0
    {
      let doubled = rest * 2
      let moved = total + doubled
      if moved - total == doubled { total = moved }
    }
    return total
  }
}
