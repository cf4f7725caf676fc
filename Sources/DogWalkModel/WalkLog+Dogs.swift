import ManagedObjects

/// Managing the dogs; each method that makes changes is one transaction.
extension WalkLog {
  /// Inserts dogs, and passes each to a closure that sets its values.
  ///
  /// If another process inserts the same dog concurrently, that one is returned.
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

  /// Returns the walker with a name, inserted with the next save if it does not exist; nil for no
  /// name.
  package func walker(named name: String?) throws -> Walker? {
    try name.map { try Walker.findOrCreate(named: $0, in: context) }
  }

  /// Returns the number of a dog's walks, by counting in the store.
  package func walkCount(of dog: Dog) throws -> Int {
    var request = Walk.fetchRequest()
    request.predicate = .relationship("dog", isIn: [dog.objectID])
    return try context.count(for: request)
  }

  /// Moves all walks of some walkers to another walker and deletes those walkers, in one
  /// transaction.
  ///
  /// - Returns: the number of walks.
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

  /// Moves all walks of some dogs to another dog and deletes those dogs, in one transaction.
  ///
  /// If one of them was the current dog, the other one becomes the current dog.
  ///
  /// - Returns: the number of walks, and the numbers of those that are now duplicates of another
  ///   walk of the dog.
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
          // Of two merged walks, the one with the higher number is the duplicate.
          $0 !== walk && (!merged.contains($0) || $0.number < walk.number)
            && $0.isDuplicate(ofStart: walk.date, walk.duration)
        }
      }
      for walk in walks { dog.addToWalks(walk) }
      // The dogs have no walks any more, so the cascade deletes none.
      for other in dogs { context.delete(other) }
      try save(choosing: isChosen ? dog : nil)
      return (walks.count, twins.map(\.number).sorted())
    }
  }

  /// Deletes dogs and all their walks, in one transaction.
  package func delete(_ dogs: [Dog]) throws {
    try performWriting {
      for dog in dogs { context.delete(dog) }
      try save()
    }
  }
}
