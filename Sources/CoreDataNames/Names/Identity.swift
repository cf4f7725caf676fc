public import ManagedObjects

// Core Data's objects are equal where they are the same one.

extension ManagedObjectContext: Hashable {
  /// Whether two are the same context.
  ///
  ///     if context != container.viewContext { try context.save() }
  public static func == (one: ManagedObjectContext, other: ManagedObjectContext) -> Bool {
    one === other
  }

  /// Hashes which context it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStoreCoordinator: Hashable {
  /// Whether two are the same coordinator.
  public static func == (
    one: PersistentStoreCoordinator, other: PersistentStoreCoordinator
  ) -> Bool { one === other }

  /// Hashes which coordinator it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentStore: Hashable {
  /// Whether two are the same store.
  public static func == (one: PersistentStore, other: PersistentStore) -> Bool { one === other }

  /// Hashes which store it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
