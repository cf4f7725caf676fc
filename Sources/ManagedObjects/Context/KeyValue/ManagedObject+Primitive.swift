import DataModel

/// What hand-written accessors are made of, as in Core Data.
///
///     final class Person: ManagedObject {
///       var name: String? {
///         get {
///           willAccessValue(forKey: "name")
///           defer { didAccessValue(forKey: "name") }
///           return primitiveValue(forKey: "name") as? String
///         }
///         set {
///           willChangeValue(forKey: "name")
///           setPrimitiveValue(newValue, forKey: "name")
///           didChangeValue(forKey: "name")
///         }
///       }
///     }
extension ManagedObject {
  /// Says that a value is about to be read; fetches the values of a fault.
  public func willAccessValue(forKey key: String?) { _ = row }

  /// Says that a value was read.
  ///
  /// Does nothing: for code that comes from Core Data.
  public func didAccessValue(forKey key: String?) {}

  /// Says that a value is about to be changed: from here on the object counts as changed.
  ///
  ///     dog.willChangeValue(forKey: "name")
  ///     dog.setPrimitiveValue("Rex", forKey: "name")   // dog.hasChanges is true
  ///
  /// - Precondition: the object's deletion was not saved.
  public func willChangeValue(forKey key: String) { _prepareForChange() }

  /// Says that a value was changed.
  ///
  /// Does nothing: for code that comes from Core Data.
  public func didChangeValue(forKey key: String) {}

  /// The value of a property, as `value(forKey:)` gives it, never from a subclass.
  ///
  ///     dog.primitiveValue(forKey: "name") as? String   // also in the accessor of name
  ///
  /// - Precondition: the entity has the property.
  public func primitiveValue(forKey key: String) -> Any? {
    guard let property = _entity.binding.property(key) else { refuse(key) }
    return value(of: property)
  }

  /// Sets a value without anyone noticing: the object does not count as changed for it, and no
  /// inverse follows.
  ///
  ///     override func awakeFromFetch() { setPrimitiveValue(Date.now, forKey: "seen") }
  ///
  /// It is saved where the object is saved for another reason. For a value to be noticed, call
  /// `willChangeValue(forKey:)` before.
  ///
  /// - Precondition: the property is an attribute or a to-one, and the value of its type.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let property = _entity.binding.property(key) else { refuse(key) }
    // So that a later save finds what is set without notice.
    let row = row
    if !_state.contains(.gone) { keepSnapshot(of: row) }
    withoutTracking {
      switch property {
      case .attribute(let slot, let attribute): set(flattened(value), slot, attribute)
      case .toOne(let toOne):
        let object = flattened(value).map { member($0, key) }
        if let object, !canLead(to: object, toOne.destination, key) { return }
        write(object, at: toOne)
      case .composite(let elements):
        guard let values = flattened(value) as? [String: Any?]? else {
          refuse(value, key, "a dictionary")
        }
        for element in elements {
          setPrimitiveValue(values?.value(along: element.name), forKey: element.path)
        }
      case .toMany:
        fatalError(
          "\(_entity.binding.name).\(key) is a to-many: set it with setValue(_:forKey:).")
      }
    }
  }
}
