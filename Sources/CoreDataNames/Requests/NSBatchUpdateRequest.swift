/// A request to update rows in the store, without loading objects.
///
///     let request = NSBatchUpdateRequest(entityName: "Dog")
///     request.propertiesToUpdate = ["isFed": false]
///     try context.execute(request)
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the changed objects' entity.
  public let entityName: String
  /// The condition that an object must meet; nil for none.
  public var predicate: NSPredicate?
  /// Whether objects of subentities are changed too.
  public var includesSubentities = true
  /// The new values, by the names of attributes; `NSNull` or an expression for nil removes a value.
  public var propertiesToUpdate: [AnyHashable: Any]?
  /// The type of result.
  public var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
  /// The stores to update; nil for all.
  public var affectedStores: [PersistentStore]?

  /// Creates a request to update all objects of an entity.
  public init(entityName: String) { self.entityName = entityName }

  /// Creates a request to update all objects of an entity.
  public convenience init(entity: EntityDescription) { self.init(entityName: entity.storedName) }

  func request(in model: ManagedObjectModel) -> BatchUpdateRequest {
    var request = BatchUpdateRequest(entityName: entityName)
    request.predicate = predicate?.fetchPredicate
    request.includesSubentities = includesSubentities
    request.affectedStores = affectedStores
    for (name, value) in propertiesToUpdate ?? [:] {
      let name = Self.name(of: name)
      request.propertiesToUpdate.updateValue(
        model.attributeValue(value, of: name, entityName), forKey: name)
    }
    return request
  }

  /// The name of a property to update, which may be specified by its description.
  private static func name(of property: AnyHashable) -> String {
    switch property.base {
    case let name as String: name
    case let property as PropertyDescription: property.name
    case let attribute as AttributeDescription: attribute.name
    case let relationship as RelationshipDescription: relationship.name
    default: fatalError("A batch update needs names of properties, not \(property).")
    }
  }
}

extension ManagedObjectModel {
  /// Converts a value to that of an attribute; nil for none.
  ///
  /// - Precondition: the entity has the attribute, and it can have the value.
  func attributeValue(_ value: Any, of name: String, _ entityName: String) -> AttributeValue? {
    guard let entity = entitiesByName[entityName] else {
      fatalError("The model has no entity \(entityName).")
    }
    guard let property = property(at: name, of: entity) else {
      fatalError("\(entityName) has no property \(name).")
    }
    let given: Any
    switch flattened(value) {
    case nil, is NSNull: return nil
    case let expression as NSExpression:
      guard case .constant(let constant) = expression.fetchExpression.kind else {
        fatalError("A batch update sets constants: \(entityName).\(name) cannot be computed.")
      }
      guard let constant else { return nil }
      given = constant
    case let id as ManagedObjectID: given = id.uriRepresentation()
    case let object as ManagedObject: given = object.objectID.uriRepresentation()
    case let value?: given = value
    }
    let result: AttributeValue? =
      if case .attribute(let attribute) = property { AttributeValue(given, for: attribute) } else {
        AttributeValue(given)
      }
    guard let result else {
      fatalError("\(entityName).\(name) cannot have a value of the type \(type(of: value)).")
    }
    return result
  }

  /// A property of an entity, or an element of a composite by its path; nil if there is none.
  private func property(at path: String, of entity: EntityDescription) -> PropertyDescription? {
    let names = path.split(separator: ".")
    guard var property = properties(of: entity).first(where: { $0.name == names.first ?? "" })
    else { return nil }
    for name in names.dropFirst() {
      guard case .attribute(let composite) = property,
        let element = composite.elements.first(where: { $0.name == name })
      else { return nil }
      property = .attribute(element)
    }
    return property
  }
}
