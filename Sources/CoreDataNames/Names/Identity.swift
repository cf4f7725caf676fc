public import ManagedObjects

// Core Data's objects are equal if they are identical.

extension ManagedObjectContext: Hashable {
  /// Whether both are the same context.
  ///
  ///     if context != container.viewContext { try context.save() }
  public static func == (one: ManagedObjectContext, other: ManagedObjectContext) -> Bool {
    one === other
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStoreCoordinator: Hashable {
  /// Whether both are the same coordinator.
  public static func == (
    one: PersistentStoreCoordinator, other: PersistentStoreCoordinator
  ) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStore: Hashable {
  /// Whether both are the same store.
  public static func == (one: PersistentStore, other: PersistentStore) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
