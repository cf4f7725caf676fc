extension ManagedObject {
  /// The value at a key path, with Core Data's collection operators.
  ///
  ///     walk.value(forKeyPath: "dog.name")
  ///     dog.value(forKeyPath: "walks.@count")                          // Int
  ///     dog.value(forKeyPath: "walks.@sum.duration")                   // Double
  ///     dog.value(forKeyPath: "walks.@max.date")                       // Date
  ///     dog.value(forKeyPath: "walks.@distinctUnionOfObjects.walker")  // [Any?]
  ///
  /// nil if a to-one on the path has no destination. A key after a to-many gives an array with a
  /// value for each member. `@sum` and `@avg` count a missing value as zero, as Core Data's objects
  /// do; `@min`, `@max` and the unions omit it. `@sum` of integers is an `Int64`, `@avg` a
  /// `Double`; for Decimals both are a `Decimal`; `@avg` of no members is nil.
  ///
  /// - Precondition: every key is a property, and every operator is known.
  public func value(forKeyPath keyPath: String) -> Any? {
    Self.value(of: self, along: keyPath.split(separator: ".")[...])
  }

  /// Sets the value at a key path through to-ones; does nothing if one has no destination.
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
