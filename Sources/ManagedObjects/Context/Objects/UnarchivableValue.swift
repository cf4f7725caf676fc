import SystemLibraries

/// A type that an archive's numbers and collections can be converted to: `[Int16]`,
/// `[String: Float]`.
///
/// An archive has two sizes of numbers, and Swift does not convert between them by casting.
protocol UnarchivableValue {
  init?(unarchived value: Any)
}

extension UnarchivableValue where Self: BinaryInteger {
  init?(unarchived value: Any) {
    guard let number = value as? any BinaryInteger else { return nil }
    self.init(exactly: number)
  }
}

extension UnarchivableValue where Self: BinaryFloatingPoint {
  init?(unarchived value: Any) {
    switch value {
    case let number as Double: self.init(number)
    case let number as Decimal: self.init(number.stored)
    case let number as any BinaryInteger: self.init(number)
    default: return nil
    }
  }
}

extension UnarchivableValue {
  init?(unarchived value: Any) {
    guard let value = value as? Self else { return nil }
    self = value
  }
}
