import DataModel

/// Evaluating the values of a mapping.
extension MigrationManager {
  /// Sets the attributes in a mapping.
  ///
  /// - Throws: `MigrationError.unacceptableValue` if an attribute cannot have its value.
  func setAttributes(
    of destination: ManagedObject, from source: ManagedObject, in mapping: EntityMapping,
    _ policy: EntityMigrationPolicy
  ) throws {
    for property in mapping.attributeMappings {
      if let name = property.sourceName,
        destination.copyStoredValue(property.name, from: source, name)
      {
        continue
      }
      let value: Any?
      switch property.value {
      case .expression(let expression)?: value = try self.value(of: expression, for: source)
      case .policyFunction?:
        value = try self.value(of: property, for: source, destination, policy)
      case .destinationInstances?, nil: continue
      }
      guard destination.accept(value, forKey: property.name) else {
        throw MigrationError.unacceptableValue(
          mapping: mapping.name, property: property.name, value: "\(value ?? "nil")")
      }
    }
  }

  /// Sets the relationships in a mapping.
  func setRelationships(
    of destination: ManagedObject, in mapping: EntityMapping, _ policy: EntityMigrationPolicy
  ) throws {
    guard
      let source = sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [destination]
      ).first
    else { return }
    for property in mapping.relationshipMappings {
      guard let relationship = destination.entity.relationshipsByName[property.name] else {
        continue
      }
      var made: [ManagedObject]
      switch property.value {
      case .destinationInstances(let expression, let name)?:
        let found = ManagedObject.objects(in: try value(of: expression, for: source))
        made = destinationInstances(forEntityMappingName: name, sourceInstances: found)
      case .policyFunction?:
        made = ManagedObject.objects(in: try value(of: property, for: source, destination, policy))
      case .expression?, nil: continue
      }
      // One object may have been mapped to several, of which only some are of the destination
      // entity.
      made.removeAll {
        !destinationModel.lineage(of: $0.entity).contains {
          $0.name == relationship.destinationEntityName
        }
      }
      destination.setValue(relationship.isToMany ? made : made.first, forKey: property.name)
    }
  }

  /// The result of a policy's method for a property.
  private func value(
    of property: PropertyMapping, for source: ManagedObject, _ destination: ManagedObject,
    _ policy: EntityMigrationPolicy
  ) throws -> Any? {
    guard case .policyFunction(let selector, let arguments)? = property.value else { return nil }
    let values = try arguments.map { argument -> Any? in
      switch argument.kind {
      case .variable("destination"): destination
      case .variable("manager"): self
      case .variable("entityMapping"): currentEntityMapping
      case .variable("propertyMapping"): property
      case .constant(let value): value?.plain
      default: try value(of: argument, for: source)
      }
    }
    return try policy.value(
      forFunction: selector, arguments: values, of: property, manager: self)
  }

  /// The value of an expression, in which `$source` is an object.
  private func value(of expression: FetchExpression, for source: ManagedObject) throws -> Any? {
    switch expression.kind {
    case .constant(let value): return value
    case .variable: return source
    case .property(let base, let names) where base.kind == .variable("source"):
      return source.value(forKeyPath: names)
    default:
      var request = FetchRequest<ManagedObject>(entityName: source.entity.name)
      request.predicate = .object(isIn: [source.objectID])
      request.propertiesToFetch = [
        ExpressionDescription(name: "value", expression: expression.aboutSource)
      ]
      return try sourceContext.fetchDictionaries(request).first?["value"]
    }
  }
}

extension FetchExpression {
  /// The expression with the evaluated object in place of `$source`.
  var aboutSource: FetchExpression {
    replacing { expression in
      switch expression.kind {
      case .variable("source"): .evaluatedObject
      case .property(let base, let names) where base.kind == .variable("source"): .keyPath(names)
      default: nil
      }
    }
  }
}

extension ManagedObject {
  /// Copies the stored value of another object's attribute; false if their types differ.
  ///
  /// No transformer is used, so that none need be registered, and nothing is rounded.
  fileprivate func copyStoredValue(_ name: String, from other: ManagedObject, _ otherName: String)
    -> Bool
  {
    switch (_entity.binding.property(name), other._entity.binding.property(otherName)) {
    case (.attribute(let slot, let attribute)?, .attribute(let otherSlot, let otherAttribute)?):
      guard attribute.type == otherAttribute.type else { return false }
      if attribute.isDerived || attribute.isTransient || otherAttribute.isTransient { return true }
      let hasValue = other.row.hasValue(otherSlot) || other._readsUnreadable(otherSlot)
      let value = hasValue ? other.row.value(at: otherSlot, type: attribute.type) : nil
      set(stored: value, slot)
      return true
    case (.composite(let elements)?, .composite?):
      return elements.allSatisfy { element in
        // An element that is new keeps its default value.
        let source = "\(otherName).\(element.name)"
        return other._entity.binding.property(source) == nil
          || copyStoredValue(element.path, from: other, source)
      }
    default: return false
    }
  }

  private func set(stored value: AttributeValue?, _ slot: Int) {
    guard let value else { return _clear(slot) }
    _prepareForChange()
    let binding = _entity.binding
    _slots =
      row.setting(value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots).slots
  }

  /// Sets an attribute if it can have a value; otherwise false.
  fileprivate func accept(_ value: Any?, forKey key: String) -> Bool {
    guard case .attribute(_, let attribute)? = _entity.binding.property(key) else { return false }
    if attribute.isDerived { return true }
    guard let value else {
      setValue(nil, forKey: key)
      return true
    }
    if AttributeValue(value, for: attribute) != nil {
      setValue(value, forKey: key)
      return true
    }
    let whole: Int64? =
      switch AttributeValue(value) {
      // A computed value has a floating-point type, even if it is integral.
      case .double(let number): Int64(exactly: number)
      // Core Data treats it as a number.
      case .boolean(let flag): flag ? 1 : 0
      default: nil
      }
    guard let whole, AttributeValue(whole, for: attribute) != nil else { return false }
    setValue(whole, forKey: key)
    return true
  }

  /// The objects in the value of a key path, at any depth.
  fileprivate static func objects(in value: Any?) -> [ManagedObject] {
    switch flattened(value) {
    case let object as ManagedObject: [object]
    case let collection as any ObjectCollection: collection.objects
    case let values as [Any?]: values.flatMap { objects(in: $0) }
    default: []
    }
  }
}
