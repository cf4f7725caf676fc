import DataModel
import Foundation
public import ManagedObjects

/// Values by the names of properties, in Foundation's classes.
///
/// Numbers are an `NSNumber`, which converts to any width.
extension ManagedObject {
  /// The value of a property as Core Data returns it.
  ///
  ///     dog.value(forKey: "age") as? Int   // 3, of an Integer 16
  ///
  /// A to-many is a `Set<NSManagedObject>`, or an `NSOrderedSet`.
  public func value(forKey key: String) -> Any? {
    storedValue(forKey: key).map(foundationValue)
  }

  /// The value at a key path, likewise.
  public func value(forKeyPath keyPath: String) -> Any? {
    storedValue(forKeyPath: keyPath).map(foundationValue)
  }

  /// The value of a property, bypassing overrides in subclasses.
  public func primitiveValue(forKey key: String) -> Any? {
    storedPrimitiveValue(forKey: key).map(foundationValue)
  }

  /// The values of several properties.
  ///
  ///     let clone = Dog(context: context)
  ///     clone.setValuesForKeys(dog.dictionaryWithValues(forKeys: ["name", "age"]))
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any?] {
    foundationValues(storedDictionaryWithValues(forKeys: keys))
  }

  /// The changed properties and their current values.
  ///
  ///     dog.changedValues()["age"] as? Int
  public func changedValues() -> [String: Any?] { foundationValues(storedChangedValues()) }

  /// The earlier values of the properties that were changed in the current event.
  public func changedValuesForCurrentEvent() -> [String: Any?] {
    foundationValues(storedChangedValuesForCurrentEvent())
  }

  /// The stored values, as this context last read or saved them; of all properties with nil.
  ///
  ///     dog.committedValues(forKeys: ["age"])["age"] as? Int
  ///
  /// - Precondition: the entity has the properties.
  public func committedValues(forKeys keys: [String]?) -> [String: Any?] {
    foundationValues(storedCommittedValues(forKeys: keys))
  }

  /// Sets the value of a property; `NSNull` removes it.
  ///
  /// - Precondition: as of the library's.
  public func setValue(_ value: Any?, forKey key: String) {
    setStoredValue(libraryValue(value, forKey: key), forKey: key)
  }

  /// Sets the value at a key path through to-ones, likewise.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    if let dot = keyPath.lastIndex(of: "."),
      let end = self.value(forKeyPath: String(keyPath[..<dot])) as? ManagedObject
    {
      end.setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
    } else {
      setStoredValue(libraryValue(value, forKey: keyPath), forKeyPath: keyPath)
    }
  }

  /// Sets a value without notification, likewise.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    setStoredPrimitiveValue(libraryValue(value, forKey: key), forKey: key)
  }

  /// Sets several properties, likewise.
  ///
  ///     dog.setValuesForKeys(["name": "Fido", "weight": NSNull()])
  public func setValuesForKeys(_ keyedValues: [String: Any?]) {
    for (key, value) in keyedValues { setValue(value, forKey: key) }
  }

  /// A value of Foundation's classes as the library expects it for a property.
  private func libraryValue(_ value: Any?, forKey key: String) -> Any? {
    switch flattened(value) {
    case is NSNull: nil
    case let number as NSNumber: entity.attributesByName[key].map(number.converted) ?? number
    case let set as NSOrderedSet where entity.relationshipsByName[key] != nil:
      set.array as? [ManagedObject] ?? set
    case let set as NSSet where entity.relationshipsByName[key] != nil:
      set.allObjects as? [ManagedObject] ?? set
    case let value: value
    }
  }
}

extension NSNumber {
  /// The number as a value of an attribute: without its fraction for an integer, true for any other
  /// than 0 for a Boolean.
  fileprivate func converted(to attribute: AttributeDescription) -> Any {
    switch attribute.type {
    case .boolean: boolValue
    case .integer16, .integer32, .integer64: integer ?? self
    default: self
    }
  }

  /// The number without its fraction; nil if that is not an `Int64`.
  private var integer: Int64? {
    switch attributeValue {
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    case .boolean(let flag): flag ? 1 : 0
    default: int64Value
    }
  }
}

/// A property's value as Core Data returns it.
func foundationValue(_ value: Any) -> Any {
  switch value {
  case let number as any FoundationNumber: number.foundationNumber
  case let count as Int: NSNumber(value: count)
  case let number as Decimal: NSDecimalNumber(decimal: number)
  case let set as OrderedSet<ManagedObject>: NSOrderedSet(array: set.array)
  // The values of composites, and of key paths through to-manys; those of transformers are others.
  case let values as [String: Any?] where type(of: value) == [String: Any?].self:
    foundationValues(values)
  case let values as [Any?] where type(of: value) == [Any?].self:
    values.map { flattened($0).map(foundationValue) as Any? }
  default: value
  }
}

private func foundationValues(_ values: [String: Any?]) -> [String: Any?] {
  values.mapValues { flattened($0).map(foundationValue) }
}
