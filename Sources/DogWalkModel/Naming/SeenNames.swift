import ManagedObjects

/// The names of existing dogs and walkers that a log has read while others could write.
///
/// A command that uses one of them means that dog or walker: if another process renames or deletes
/// it before the save, the command is a conflict, and does not create a second one.
struct SeenNames {
  /// The keys of dogs' names.
  private var dogs: Set<String> = []
  /// The keys of walkers' names.
  private var walkers: Set<String> = []

  /// Whether there are none.
  var isEmpty: Bool { dogs.isEmpty && walkers.isEmpty }

  /// Adds the names of dogs that are in the store.
  mutating func insert(_ dogs: some Sequence<Dog>) {
    for dog in dogs where !dog.isInserted { self.dogs.insert(NameKey.of(dog.name)) }
  }

  /// Adds the names of walkers that are in the store.
  mutating func insert(_ walkers: some Sequence<Walker>) {
    for walker in walkers where !walker.isInserted {
      self.walkers.insert(NameKey.of(walker.name))
    }
  }

  /// Whether an object is a dog or walker of such a name.
  func contains(_ object: ManagedObject) -> Bool {
    switch object {
    case let dog as Dog: dogs.contains(NameKey.of(dog.name))
    case let walker as Walker: walkers.contains(NameKey.of(walker.name))
    default: false
    }
  }
}
