extension ManagedObject: EntityInstantiable {}

extension EntityInstantiable where Self: ManagedObject {
  /// Creates an object of an entity's class and inserts it into a context.
  ///
  ///     let entity = model.entitiesByName["Dog"]!
  ///     let object = ManagedObject(entity: entity, insertInto: context)
  ///     object is Dog   // true
  ///     object.setValue("Fido", forKey: "name")
  ///
  /// If the class is known at compile time, prefer `Dog(context:)`. Follows Core Data's initialiser
  /// of that name, whose documentation promises an instance of the entity's class.
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
  /// The initial state of a new object of an entity, in the store that it is assigned to.
  func insertion(of entity: ContextEntity) -> ManagedObject._Insertion {
    let entity = entityForNewObjects(entity)
    require(
      !entity.binding.isAbstract, "\(entity.binding.name) is abstract: it has no objects.")
    return ManagedObject._Insertion(entity: entity)
  }
}
