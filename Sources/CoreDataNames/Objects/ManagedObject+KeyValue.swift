import Foundation
public import ManagedObjects

extension ManagedObject {
  /// The value of a property as Core Data returns it: numbers as `NSNumber`, which converts to any
  /// width.
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

  /// Sets the value of a property; `NSNull` removes it.
  ///
  /// - Precondition: as of the library's.
  public func setValue(_ value: Any?, forKey key: String) {
    switch value {
    case let set as NSOrderedSet:
      setStoredValue(set.array.compactMap { $0 as? ManagedObject }, forKey: key)
    case let set as NSSet:
      setStoredValue(set.allObjects.compactMap { $0 as? ManagedObject }, forKey: key)
    case is NSNull: setStoredValue(nil, forKey: key)
    default: setStoredValue(value, forKey: key)
    }
  }
}

/// A property's value as Core Data returns it.
func foundationValue(_ value: Any) -> Any {
  switch value {
  case let number as any FoundationNumber: number.foundationNumber
  case let number as Decimal: NSDecimalNumber(decimal: number)
  case let set as OrderedSet<ManagedObject>: NSOrderedSet(array: set.array)
  default: value
  }
}
