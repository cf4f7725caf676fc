import DataModel
import SystemLibraries

extension ManagedObject {
  /// The value at a key path, with Core Data's collection operators.
  ///
  ///     walk.value(forKeyPath: "dog.name")
  ///     dog.value(forKeyPath: "walks.@count")                          // Int
  ///     dog.value(forKeyPath: "walks.@sum.duration")                   // Double
  ///     dog.value(forKeyPath: "walks.@max.date")                       // Date
  ///     dog.value(forKeyPath: "walks.@distinctUnionOfObjects.walker")  // [Any?]
  ///
  /// nil where a to-one on the path has no destination. A key after a to-many gives an array with a
  /// value for each member. `@sum` and `@avg` count a missing value as zero, as Core Data's objects
  /// do; `@min`, `@max` and the unions omit it. `@sum` of integers is an `Int64`, `@avg` a
  /// `Double`; for Decimals both are a `Decimal`; `@avg` of no members is nil.
  ///
  /// - Precondition: every key is a property, and every operator is known.
  public func value(forKeyPath keyPath: String) -> Any? {
    Self.value(of: self, along: keyPath.split(separator: ".")[...])
  }

  /// Sets the value at a key path through to-ones; does nothing where one has no destination.
  ///
  ///     walk.setValue("Rex", forKeyPath: "dog.name")
  ///
  /// - Precondition: as with `setValue(_:forKey:)`.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard _entity.binding.property(keyPath) == nil,
      let dot = keyPath.lastIndex(of: ".")
    else { return setValue(value, forKey: keyPath) }
    guard let end = self.value(forKeyPath: String(keyPath[..<dot])) else { return }
    member(end, keyPath).setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
  }

  private static func value(of value: Any?, along keys: ArraySlice<Substring>) -> Any? {
    guard let key = keys.first, let value = flattened(value) else { return flattened(value) }
    let rest = keys.dropFirst()
    if key == "self" { return Self.value(of: value, along: rest) }
    switch value {
    case let object as ManagedObject:
      return Self.value(of: object.value(forKey: String(key)), along: rest)
    case let values as [String: Any?]:
      return Self.value(of: values[String(key)] ?? nil, along: rest)
    case let collection as any ObjectCollection:
      return Self.value(of: collection.objects.map { $0 as Any? }, along: keys)
    case let values as [Any?]:
      guard key.first == "@" else { return values.map { Self.value(of: $0, along: keys) } }
      guard let operation = CollectionOperator(rawValue: String(key.dropFirst())) else {
        fatalError("There is no key path operator \(key).")
      }
      return operation.result(of: values) { Self.value(of: $0, along: rest) }
    default:
      fatalError("A key path cannot read \(key) of a value of the type \(type(of: value)).")
    }
  }
}

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
