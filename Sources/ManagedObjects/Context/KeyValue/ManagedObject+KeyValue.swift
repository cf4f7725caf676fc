import DataModel

/// Values by the names of their properties, for code that knows them only at run time.
///
///     dog.setValue("Fido", forKey: "name")
///     dog.value(forKey: "name") as? String     // "Fido"
///     dog.value(forKeyPath: "walks.@sum.duration")
///
/// The values have the types of momc's accessors: `String`, `Int16`, `Date`, …; a to-one is a
/// `ManagedObject`, a to-many a `Set<ManagedObject>` or `OrderedSet<ManagedObject>`, a fetched
/// property a `[ManagedObject]`, a composite a `[String: Any?]`. Follows Core Data's key-value
/// coding; slower than the accessors, at some hundred nanoseconds a value.
extension ManagedObject {
  /// The value of a property, or nil if it has none.
  ///
  ///     dog.value(forKey: "name") as? String   // "Fido"
  ///
  /// An unknown key is passed to `value(forUndefinedKey:)`, which traps.
  public func value(forKey key: String) -> Any? {
    _entity.context?.checkCaller(_entity.binding.name)
    guard let property = _entity.binding.property(key) else {
      // A fetched property is read-only.
      return fetchedObjects(key) ?? value(forUndefinedKey: key)
    }
    return value(of: property)
  }

  /// Sets the value of a property, and updates the inverse of a relationship.
  ///
  ///     dog.setValue("Rex", forKey: "name")
  ///     dog.setValue([walk, other], forKey: "walks")   // walk.dog is the dog
  ///
  /// A number may have any width that holds it, or be an `NSNumber`; a Boolean accepts 0 and 1 too;
  /// a to-many accepts a set, an ordered set or an array. nil removes the value. An unknown key is
  /// passed to `setValue(_:forUndefinedKey:)`, which traps.
  ///
  /// - Precondition: the value is of the property's type, and the property is not derived.
  public func setValue(_ value: Any?, forKey key: String) {
    _entity.context?.checkCaller(_entity.binding.name)
    guard let property = _entity.binding.property(key) else {
      return setValue(value, forUndefinedKey: key)
    }
    set(flattened(value), of: property, key)
  }

  /// The values of several properties, by key; nil for those without a value.
  ///
  ///     dog.dictionaryWithValues(forKeys: ["name", "age"])   // ["name": "Fido", "age": nil]
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in keys { values.updateValue(value(forKey: key), forKey: key) }
    return values
  }

  /// Sets several properties.
  ///
  ///     dog.setValuesForKeys(["name": "Fido", "age": 3])
  ///
  /// - Precondition: as with `setValue(_:forKey:)`.
  public func setValuesForKeys(_ keyedValues: [String: Any?]) {
    for (key, value) in keyedValues { setValue(value, forKey: key) }
  }

  // MARK: Implementation

  func value(of property: KeyedProperty) -> Any? {
    switch property {
    case .attribute(let slot, let attribute):
      if attribute.isTransformed { return transformed(slot, attribute) }
      guard row.hasValue(slot) || _readsUnreadable(slot) else { return nil }
      return row.value(at: slot, type: attribute.type)?.anyValue(of: attribute.type)
    case .toOne(let toOne): return self.toOne(toOne.slot)
    case .toMany(let toMany):
      let members = lists.toManys[loaded(toMany).number].members
      return toMany.description.isOrdered ? OrderedSet(unique: members) : Set(members)
    case .composite(let elements):
      return elements.reduce(into: [String: Any?]?.none) { values, element in
        guard let value = value(forKey: element.path) else { return }
        values.setValue(value, along: element.name)
      }
    }
  }

  private func set(_ value: Any?, of property: KeyedProperty, _ key: String) {
    switch property {
    case .attribute(let slot, let attribute): set(value, slot, attribute)
    case .toOne(let toOne):
      setToOne(value.map { member($0, key) }, slot: toOne.slot)
    case .toMany(let toMany):
      replaceAll(of: toMany, with: OrderedSet(members(value, key)).array)
    case .composite(let elements):
      guard let values = value as? [String: Any?]? else { refuse(value, key, "a dictionary") }
      for element in elements {
        setValue(values?.value(along: element.name), forKey: element.path)
      }
    }
  }

  func set(_ value: Any?, _ slot: Int, _ attribute: AttributeDescription) {
    require(
      !attribute.isDerived,
      "\(_entity.binding.name).\(attribute.name) is derived: only the store sets it.")
    guard !attribute.isTransformed else { return setTransformed(value, slot, attribute) }
    guard let value else { return _clear(slot) }
    guard let value = AttributeValue(value, for: attribute) else {
      refuse(value, attribute.name, "of the type \(attribute.type.name)")
    }
    _prepareForChange()
    let binding = _entity.binding
    _slots =
      row.setting(value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots).slots
  }

  /// A value, which must be an object.
  func member(_ value: Any, _ key: String) -> ManagedObject {
    guard let object = value as? ManagedObject else { refuse(value, key, "a managed object") }
    return object
  }

  private func members(_ value: Any?, _ key: String) -> [ManagedObject] {
    guard let value else { return [] }
    if let collection = value as? any ObjectCollection { return collection.objects }
    guard let array = value as? [ManagedObject] else {
      refuse(value, key, "a set of managed objects")
    }
    return array
  }

  /// Traps for a value of a wrong type.
  func refuse(_ value: Any?, _ key: String, _ wanted: String) -> Never {
    let given = value.map { "\(type(of: $0))" } ?? "nil"
    fatalError(
      "\(_entity.binding.name).\(key) must be \(wanted), but was set to \(given).")
  }

  /// Traps for a key that is not a property.
  func refuse(_ key: String) -> Never {
    fatalError("\(_entity.binding.name) has no property \(key) in this model.")
  }
}

extension [String: Any?] {
  /// The value at a key path through nested dictionaries.
  func value(along path: Substring) -> Any? {
    guard let dot = path.firstIndex(of: ".") else { return flattened(self[String(path)] ?? nil) }
    let nested = flattened(self[String(path[..<dot])] ?? nil) as? [String: Any?]
    return nested?.value(along: path[path.index(after: dot)...])
  }
}

extension [String: Any?]? {
  /// Sets the value at a key path through nested dictionaries, which are created if missing.
  mutating func setValue(_ value: Any, along path: Substring) {
    var values = self ?? [:]
    if let dot = path.firstIndex(of: ".") {
      let key = String(path[..<dot])
      var nested = flattened(values[key] ?? nil) as? [String: Any?]
      nested.setValue(value, along: path[path.index(after: dot)...])
      values.updateValue(nested, forKey: key)
    } else {
      values.updateValue(value, forKey: String(path))
    }
    self = values
  }
}
