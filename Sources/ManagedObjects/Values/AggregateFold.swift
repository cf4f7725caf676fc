/// Aggregates many values, one after the other: in memory, within SQL, and for lists in predicates.
///
/// The result does not depend on their order. Missing values count for `@count` and, as 0, for
/// `@sum` and `@avg`; the others ignore them.
struct AggregateFold {
  private let aggregate: AggregateFunction
  private var count: Int64 = 0
  private var sum = ExactSum()
  private var best: Scalar?
  /// For aggregates that cannot be computed incrementally.
  private var numbers: [Scalar] = []

  init(_ aggregate: AggregateFunction) { self.aggregate = aggregate }

  mutating func add(_ value: Scalar?) {
    switch aggregate {
    case .count: count += 1
    case .sum, .average: sum.add(value)
    case .minimum, .maximum:
      guard let value else { return }
      let order = best.map { value.compare($0) }
      let isBetter = order.map { aggregate == .minimum ? $0 < 0 : $0 > 0 } ?? true
      if isBetter { best = value }
    case .median, .standardDeviation:
      if let value, value.number != nil { numbers.append(value) }
    }
  }

  var result: Scalar? {
    switch aggregate {
    case .count: .integer(count)
    case .sum: sum.sum
    case .average: sum.average
    case .minimum, .maximum: best
    case .median: median
    case .standardDeviation: standardDeviation
    }
  }

  /// The middle number, or the mean of the two middle ones.
  private var median: Scalar? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted { $0.compare($1) < 0 }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return mean([sorted[middle - 1], sorted[middle]]).map { .real($0) }
  }

  /// The population standard deviation, not that of a sample.
  private var standardDeviation: Scalar? {
    guard let mean = mean(numbers) else { return nil }
    let squares = numbers.map { number -> Scalar in
      let distance = (number.number ?? 0) - mean
      return .real(distance * distance)
    }
    return self.mean(squares).map { .real($0.squareRoot()) }
  }

  private func mean(_ numbers: [Scalar]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum.average?.number
  }
}
