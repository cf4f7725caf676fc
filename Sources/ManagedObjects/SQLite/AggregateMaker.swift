/// A factory of aggregates that C code can hold.
final class AggregateMaker {
  let make: () -> any SQLAggregate

  init(_ make: @escaping () -> any SQLAggregate) { self.make = make }
}

@available(*, unavailable) extension AggregateMaker: Sendable {}
