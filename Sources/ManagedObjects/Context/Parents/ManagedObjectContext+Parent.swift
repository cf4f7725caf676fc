import DataModel

extension ManagedObjectContext {
  /// Creates a child context, which reads from another context and saves into it.
  ///
  ///     let sheet = ManagedObjectContext(parent: context)
  ///     let draft = Walk(context: sheet)
  ///     draft.date = .now
  ///     try sheet.save()      // now the parent has it, unsaved
  ///     try context.save()    // and now the store
  ///
  /// The child sees the parent's objects, including unsaved changes; its own saves push changes up
  /// one level and do not touch the disk. To discard its work, release it. Both share one
  /// isolation. The child retains its parent, not the reverse. New objects have temporary IDs until
  /// the topmost parent saves, and then permanent ones in every context. Follows Core Data's
  /// `parent`.
  public convenience init(parent: ManagedObjectContext) {
    self.init(persistentStoreCoordinator: parent.persistentStoreCoordinator, parent: parent)
    parent.children.add(self)
    owner = parent.owner
  }

  // MARK: Reads by a child

  /// Runs a plan on the objects here, for a child.
  func readForChild<Result>(
    _ plan: FetchPlan, _ body: (any RowCursor) throws -> Result
  ) throws -> Result {
    try body(ObjectCursor(try objects(for: plan, pending: true)))
  }

  /// A copy of an object's values for a child; nil if the object no longer exists.
  func rowForChild(_ key: Int64, of entity: Int) throws -> (row: PackedRow, entity: Int)? {
    guard let object = try readObject(key, of: entity),
      object._state.isDisjoint(with: [.deleted, .detached])
    else { return nil }
    return (object.copiedRow(), object._entity.binding.index)
  }

  /// The members of a to-many in the parent.
  func membersInParent(
    _ parent: ManagedObjectContext, of toMany: EntityBinding.ToMany, owner: ManagedObject
  ) throws -> [ManagedObject] {
    guard let counterpart = try parent.readObject(owner._key, of: owner._entity.binding.index),
      counterpart._state.isDisjoint(with: [.deleted, .detached])
    else { return [] }
    counterpart.loaded(toMany)
    defer { sendAwakeFromFetch() }
    return counterpart.lists.toManys[toMany.number].members.map { member in
      let entity = contextEntity(at: member._entity.binding.index)
      return registeredObject(member._key, of: entity)
        ?? makeObject(
          member._key, entity: entity, row: member.isFault ? nil : member.copiedRow())
    }
  }

  /// The object of a key with its values; nil if it has no row.
  private func readObject(_ key: Int64, of entity: Int) throws -> ManagedObject? {
    if let known = registeredObject(key, of: entity), known._slots != nil { return known }
    return try fetchRow(key, entity: contextEntity(at: entity))
  }
}

/// A cursor over objects that were found.
private final class ObjectCursor: RowCursor {
  private let objects: [ManagedObject]
  private var index = -1

  init(_ objects: [ManagedObject]) { self.objects = objects }

  func next() -> Bool {
    index += 1
    return index < objects.count
  }
  // A child reads the members of one object at a time.
  var owner: Int64 { 0 }
  var key: Int64 { objects[index]._key }
  var entity: Int { objects[index]._entity.binding.index }
  var includesTransientValues: Bool { true }
  func makeRow() -> PackedRow { objects[index].copiedRow() }
}
