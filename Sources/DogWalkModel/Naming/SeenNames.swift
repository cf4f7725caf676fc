import ManagedObjects

/// The names of dogs and walkers that a log has read: who writes one down means the one that was
/// there.
struct SeenNames {
  /// The keys of dogs' names.
  private var dogs: Set<String> = []
  /// The keys of walkers' names.
  private var walkers: Set<String> = []

  /// Whether there are none.
  var isEmpty: Bool { dogs.isEmpty && walkers.isEmpty }

  /// Notes the names of dogs that are in the store.
  mutating func insert(_ dogs: some Sequence<Dog>) {
    for dog in dogs where !dog.isInserted { self.dogs.insert(NameKey.of(dog.name)) }
  }

  /// Notes the names of walkers that are in the store.
  mutating func insert(_ walkers: some Sequence<Walker>) {
    for walker in walkers where !walker.isInserted {
      self.walkers.insert(NameKey.of(walker.name))
    }
  }

  /// Whether an object has the name of one that was there.
  func contains(_ object: ManagedObject) -> Bool {
    switch object {
    case let dog as Dog: dogs.contains(NameKey.of(dog.name))
    case let walker as Walker: walkers.contains(NameKey.of(walker.name))
    default: false
    }
  }
}
