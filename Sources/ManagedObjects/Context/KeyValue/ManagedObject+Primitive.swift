import DataModel

/// Building blocks of hand-written accessors, as in Core Data.
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
  /// Prepares a value to be read: fires a fault.
  public func willAccessValue(forKey key: String?) { _ = row }

  /// Marks the end of an access.
  ///
  /// Does nothing: for source compatibility with Core Data.
  public func didAccessValue(forKey key: String?) {}

  /// Prepares a value to be changed: from here on the object counts as changed.
  ///
  ///     dog.willChangeValue(forKey: "name")
  ///     dog.setPrimitiveValue("Rex", forKey: "name")   // dog.hasChanges is true
  ///
  /// - Precondition: the object's deletion was not saved.
  public func willChangeValue(forKey key: String) { _prepareForChange() }

  /// Marks the end of a change.
  ///
  /// Does nothing: for source compatibility with Core Data.
  public func didChangeValue(forKey key: String) {}

  /// The value of a property, as `value(forKey:)` returns it, bypassing overrides in subclasses.
  ///
  ///     dog.primitiveValue(forKey: "name") as? String   // also in the accessor of name
  ///
  /// - Precondition: the entity has the property.
  public func primitiveValue(forKey key: String) -> Any? {
    guard let property = _entity.binding.property(key) else { refuse(key) }
    return value(of: property)
  }

  /// Sets a value without notification: the object is not marked as changed, nor is an inverse
  /// updated.
  ///
  ///     override func awakeFromFetch() { setPrimitiveValue(Date.now, forKey: "seen") }
  ///
  /// The value is saved when the object is saved for another reason. To mark the object as changed,
  /// call `willChangeValue(forKey:)` first.
  ///
  /// - Precondition: the property is an attribute or a to-one, and the value of its type.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let property = _entity.binding.property(key) else { refuse(key) }
    // So that a later save detects a value that was set without notification.
    let row = row
    if !_state.contains(.detached) { keepSnapshot(of: row) }
    withoutTracking {
      switch property {
      case .attribute(let slot, let attribute): set(flattened(value), slot, attribute)
      case .toOne(let toOne):
        let object = flattened(value).map { member($0, key) }
        if let object, !isValidDestination(object, toOne.destination, key) { return }
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
