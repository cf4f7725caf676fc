import ManagedObjects

/// Names of existing dogs and walkers that a log has read outside a write transaction.
///
/// A command that uses one of these names means the existing dog or walker: if another process
/// renames or deletes it before the save, the command fails with a conflict instead of inserting a
/// second one.
struct SeenNames {
  /// The keys of the dogs' names.
  private var dogs: Set<String> = []
  /// The keys of the walkers' names.
  private var walkers: Set<String> = []

  /// Whether there are no names.
  var isEmpty: Bool { dogs.isEmpty && walkers.isEmpty }

  /// Adds the names of those dogs that are in the store.
  mutating func insert(_ dogs: some Sequence<Dog>) {
    for dog in dogs where !dog.isInserted { self.dogs.insert(NameKey.of(dog.name)) }
  }

  /// Adds the names of those walkers that are in the store.
  mutating func insert(_ walkers: some Sequence<Walker>) {
    for walker in walkers where !walker.isInserted {
      self.walkers.insert(NameKey.of(walker.name))
    }
  }

  /// Whether an object is a dog or walker with one of these names.
  func contains(_ object: ManagedObject) -> Bool {
    switch object {
    case let dog as Dog: dogs.contains(NameKey.of(dog.name))
    case let walker as Walker: walkers.contains(NameKey.of(walker.name))
    default: false
    }
  }
}
