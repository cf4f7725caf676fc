import SystemLibraries

/// An operator that a key path applies to a collection's values.
enum CollectionOperator: String {
  case count
  case sum
  case avg
  case min
  case max
  case unionOfObjects
  case distinctUnionOfObjects
  case unionOfArrays
  case distinctUnionOfArrays
  case distinctUnionOfSets

  func result(of elements: [Any?], value: (Any?) -> Any?) -> Any? {
    if self == .count { return elements.count }
    let values = elements.compactMap { flattened(value($0)) }
    switch self {
    case .count: return elements.count
    case .sum: return Total(of: values).sum
    case .avg: return Total(of: values).average(of: elements.count)
    case .min: return Self.extreme(of: values, wanted: -1)
    case .max: return Self.extreme(of: values, wanted: 1)
    case .unionOfObjects: return values.map { $0 as Any? }
    case .distinctUnionOfObjects: return Self.distinct(values)
    case .unionOfArrays: return Self.members(of: values).map { $0 as Any? }
    case .distinctUnionOfArrays, .distinctUnionOfSets:
      return Self.distinct(Self.members(of: values))
    }
  }

  private static func distinct(_ values: [Any]) -> [Any?] {
    var seen: Set<AnyHashable> = []
    return values.compactMap { value -> Any? in
      let stored = AttributeValue(value).map { AnyHashable(DistinctValue(Scalar($0))) }
      guard let hashable = stored ?? value as? AnyHashable else { return value }
      return seen.insert(hashable).inserted ? value : nil
    }
  }

  /// The elements of all the collections, concatenated.
  private static func members(of collections: [Any]) -> [Any] {
    collections.flatMap { collection -> [Any] in
      switch collection {
      case let objects as any ObjectCollection: objects.objects
      case let values as [Any?]: values.compactMap { flattened($0) }
      default: [collection]
      }
    }
  }

  /// The smallest or greatest value, unconverted.
  private static func extreme(of values: [Any], wanted: Int) -> Any? {
    var found: (value: Any, comparable: AttributeValue)?
    for value in values {
      guard let comparable = AttributeValue(value) else {
        fatalError("Values of the type \(type(of: value)) cannot be compared.")
      }
      if let found, comparable.compare(found.comparable) * wanted <= 0 { continue }
      found = (value, comparable)
    }
    return found?.value
  }
}

/// A sum of numbers, exact as long as they are integers.
private enum Total {
  case whole(Int64)
  case real(Double)
  case decimal(Decimal)

  init(of values: [Any]) {
    self = .whole(0)
    for value in values {
      switch (self, AttributeValue(value)) {
      case (.whole(let sum), .integer(let number)):
        let (next, overflow) = sum.addingReportingOverflow(number)
        self = overflow ? .real(Double(sum) + Double(number)) : .whole(next)
      case (.whole(let sum), .double(let number)): self = .real(Double(sum) + number)
      case (.whole(let sum), .decimal(let number)): self = .decimal(Decimal(sum) + number)
      case (.real(let sum), .integer(let number)): self = .real(sum + Double(number))
      case (.real(let sum), .double(let number)): self = .real(sum + number)
      case (.real(let sum), .decimal(let number)): self = .real(sum + number.stored)
      case (.decimal(let sum), .integer(let number)): self = .decimal(sum + Decimal(number))
      case (.decimal(let sum), .double(let number)):
        self = .decimal(sum + Decimal(stored: number))
      case (.decimal(let sum), .decimal(let number)): self = .decimal(sum + number)
      default: fatalError("Values of the type \(type(of: value)) cannot be added.")
      }
    }
  }

  var sum: Any {
    switch self {
    case .whole(let sum): sum
    case .real(let sum): sum
    case .decimal(let sum): sum
    }
  }

  /// nil for a count of zero.
  func average(of count: Int) -> Any? {
    guard count > 0 else { return nil }
    return switch self {
    case .whole(let sum): Double(sum) / Double(count)
    case .real(let sum): sum / Double(count)
    case .decimal(let sum): sum / Decimal(count)
    }
  }
}
