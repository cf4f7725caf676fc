public import DataModel

extension EntityDescription {
  /// Creates an object of the entity with a name, and inserts it into a context.
  ///
  ///     let dog = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
  ///     dog.setValue("Fido", forKey: "name")
  ///
  /// The object is of the entity's class. If the class is known at compile time, prefer
  /// `Dog(context:)`. Follows Core Data's method of that name.
  ///
  /// - Precondition: the entity is one of the context's model, and not abstract.
  public static func insertNewObject(
    forEntityName entityName: String, into context: ManagedObjectContext
  ) -> ManagedObject {
    let insertion = context.insertion(of: context.contextEntity(named: entityName))
    return insertion.entity.objectClass.init(_inserted: insertion)
  }

  /// The entity with a name in a context's model; nil if there is none.
  ///
  ///     let dog = EntityDescription.entity(forEntityName: "Dog", in: context)
  ///
  /// Follows Core Data's method of that name.
  public static func entity(
    forEntityName entityName: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.persistentStoreCoordinator.managedObjectModel.entitiesByName[entityName]
  }
}

extension ManagedObject {
  /// The IDs of a relationship's objects, in order if it is ordered.
  ///
  ///     let ids = fido.objectIDs(forRelationshipNamed: "walks")
  ///
  /// A list that is not loaded is read, with one query. Follows Core Data's method of that name.
  ///
  /// - Precondition: the entity has a relationship of that name.
  public func objectIDs(forRelationshipNamed name: String) -> [ManagedObjectID] {
    switch _entity.binding.property(name) {
    case .toOne(let toOne): self.toOne(toOne.slot).map { [$0.objectID] } ?? []
    case .toMany(let toMany): lists.toManys[loaded(toMany).number].members.map(\.objectID)
    default: fatalError("\(_entity.binding.name) has no relationship \(name).")
    }
  }
}
