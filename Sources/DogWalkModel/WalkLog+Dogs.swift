import ManagedObjects

/// Looking after the dogs themselves; each call that changes something is one transaction.
extension WalkLog {
  /// Makes dogs, and gives each what the closure gives it.
  ///
  /// One that another process makes at the same moment is that one.
  package func addDogs(named names: [String], setting: (Dog) -> Void) throws -> [Dog] {
    var dogs: [Dog] = []
    for name in names {
      let dog = try Dog.findOrCreate(named: name, in: context)
      if !dogs.contains(dog) { dogs.append(dog) }
    }
    for dog in dogs { setting(dog) }
    try save()
    return dogs
  }

  /// The walker of a name, found or made with the next save; nil for none.
  package func walker(named name: String?) throws -> Walker? {
    try name.map { try Walker.findOrCreate(named: $0, in: context) }
  }

  /// How many walks a dog has; counted, not fetched.
  package func walkCount(of dog: Dog) throws -> Int {
    var request = Walk.fetchRequest()
    request.predicate = .relationship("dog", isIn: [dog.objectID])
    return try context.count(for: request)
  }

  /// Gives all walks of some walkers to another one, and deletes those walkers, all or none.
  ///
  /// - Returns: how many walks there were.
  package func merge(_ walkers: [Walker], into walker: Walker) throws -> Int {
    try performWriting {
      var request = Walk.fetchRequest()
      request.predicate = .relationship("walker", isIn: walkers.map(\.objectID))
      let walks = try context.fetch(request)
      for walk in walks { walk.walker = walker }
      for other in walkers { context.delete(other) }
      try save()
      return walks.count
    }
  }

  /// Gives all walks of some dogs to another one, and deletes those dogs, all or none.
  ///
  /// Where one of them was chosen as the current dog, the other is then.
  ///
  /// - Returns: how many walks there were, and the numbers of those that are the same as another
  ///   one of the dog's now.
  package func merge(_ dogs: [Dog], into dog: Dog) throws -> (walks: Int, twins: [Int64]) {
    try performWriting {
      let isChosen = try chosenDog().map(dogs.contains) ?? false
      var query = WalkQuery()
      query.dogs = dogs
      let walks = try walks(query)
      query.dogs = [dog]
      let starts = Dictionary(grouping: try self.walks(query) + walks, by: \.date)
      let merged = Set(walks)
      let twins = walks.filter { walk in
        starts[walk.date, default: []].contains {
          // Of two that are merged, the later number is one too many.
          $0 !== walk && (!merged.contains($0) || $0.number < walk.number)
            && $0.isTwin(from: walk.date, walk.duration)
        }
      }
      for walk in walks { dog.addToWalks(walk) }
      // Without walks by now, so that none go with them.
      for other in dogs { context.delete(other) }
      try save(choosing: isChosen ? dog : nil)
      return (walks.count, twins.map(\.number).sorted())
    }
  }

  /// Deletes dogs and all their walks, all or none.
  package func delete(_ dogs: [Dog]) throws {
    try performWriting {
      for dog in dogs { context.delete(dog) }
      try save()
    }
  }
}
