public import DataModel

/// What has objects that are made by their entity; every managed object class.
///
/// It is a protocol for the sake of `init(entity:insertInto:)`: an initialiser of a class gives an
/// object of the very class that it is called on, one of a protocol may give one of a subclass.
public protocol EntityInstantiable {}

extension ManagedObject: EntityInstantiable {}

extension EntityInstantiable where Self: ManagedObject {
  /// Creates an object of an entity and inserts it into a context; it is of the entity's class.
  ///
  ///     let entity = model.entitiesByName["Dog"]!
  ///     let object = ManagedObject(entity: entity, insertInto: context)
  ///     object is Dog   // true
  ///     object.setValue("Fido", forKey: "name")
  ///
  /// Where the class is known, `Dog(context:)` reads better. Follows Core Data's initialiser of
  /// that name, whose page promises an instance of the class that fits the entity.
  ///
  /// - Precondition: the entity is one of the context's model and not abstract, and its class is
  ///   the one that this is called on, or a subclass of it.
  public init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
    let insertion = context.insertion(of: context.contextEntity(named: entity.name))
    let type = insertion.entity.objectClass
    guard let object = type.init(_inserted: insertion) as? Self else {
      fatalError("The objects of \(entity.name) are of the class \(type), not \(Self.self).")
    }
    self = object
  }
}

extension ManagedObjectContext {
  /// What a new object of an entity is made from, in the store that gets it.
  func insertion(of entity: ContextEntity) -> ManagedObject._Insertion {
    let entity = entityForNewObjects(entity)
    require(
      !entity.binding.isAbstract, "\(entity.binding.name) is abstract: it has no objects.")
    return ManagedObject._Insertion(entity: entity)
  }
}
