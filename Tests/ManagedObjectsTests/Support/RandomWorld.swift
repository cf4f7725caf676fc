import DogWalkModel
import ManagedObjects

/// Dogs by name, with their walks in order; walks by their minutes, which never change.
struct RandomWorld: Equatable {
  struct Dog: Equatable {
    var target: Int16?
    var walks: [Int] = []
  }
  struct Walk: Equatable {
    var note: String?
    var dog: String
  }

  var dogs: [String: Dog] = [:]
  var walks: [Int: Walk] = [:]

  init() {}

  /// A context's content, read from both sides.
  init(of context: ManagedObjectContext) throws {
    for dog in try context.fetch(DogWalkModel.Dog.fetchRequest()) {
      dogs[dog.name] = Dog(target: dog.targetMinutes, walks: dog.minutes)
    }
    for walk in try context.fetch(DogWalkModel.Walk.fetchRequest()) {
      walks[Int(walk.duration! / 60)] = Walk(note: walk.note, dog: walk.dog?.name ?? "nobody's")
    }
  }

  /// The differences from another one.
  func difference(from other: RandomWorld) -> String {
    let dogs = dogs.filter { other.dogs[$0] != $1 }.map {
      "\($0) \($1.target ?? 0) \($1.walks)"
    }
    let walks = walks.filter { other.walks[$0] != $1 }.map { "\($0) \($1.note ?? "-") \($1.dog)" }
    return (dogs.sorted() + walks.sorted()).joined(separator: ", ")
  }

  /// The walks that are not exactly once in their own dog's list, and in no other; empty if all
  /// are.
  var contradictions: [String] {
    var places: [Int: [String]] = [:]
    for (name, dog) in dogs { for walk in dog.walks { places[walk, default: []].append(name) } }
    return Set(walks.keys).union(places.keys).compactMap { walk in
      let (lists, dog) = (places[walk] ?? [], walks[walk]?.dog)
      return lists.count == 1 && lists[0] == dog ? nil : "\(walk) of \(dog ?? "-") in \(lists)"
    }
  }

  /// What is stored now, with the changes since `base` on top.
  ///
  /// - Parameter appended: the walks that were added to a list since.
  /// - Parameter rearranged: the dogs whose order was changed since.
  func merging(_ mine: RandomWorld, base: RandomWorld, appended: Set<Int>, rearranged: Set<String>)
    -> RandomWorld
  {
    var result = RandomWorld()
    for (name, dog) in mine.dogs where dogs[name] != nil || base.dogs[name] == nil {
      let theirs = dogs[name]?.target
      result.dogs[name] = Dog(
        target: base.dogs[name] != nil && dog.target == base.dogs[name]!.target
          ? theirs : dog.target)
    }
    for (name, dog) in dogs where base.dogs[name] == nil && mine.dogs[name] == nil {
      result.dogs[name] = Dog(target: dog.target)
    }
    for (minutes, walk) in mine.walks where walks[minutes] != nil || base.walks[minutes] == nil {
      guard let old = base.walks[minutes], let theirs = walks[minutes] else {
        result.walks[minutes] = walk
        continue
      }
      result.walks[minutes] = Walk(
        note: walk.note == old.note ? theirs.note : walk.note,
        dog: appended.contains(minutes) && walk.dog != old.dog ? walk.dog : theirs.dog)
    }
    for (minutes, walk) in walks where base.walks[minutes] == nil && mine.walks[minutes] == nil {
      result.walks[minutes] = walk
    }
    for name in result.dogs.keys {
      func isMember(_ minutes: Int) -> Bool { result.walks[minutes]?.dog == name }
      let own = (mine.dogs[name]?.walks ?? []).filter(isMember)
      let theirs = (dogs[name]?.walks ?? []).filter(isMember)
      if rearranged.contains(name) {
        result.dogs[name]!.walks = own + theirs.filter { !own.contains($0) }
      } else {
        let added = own.filter { appended.contains($0) }
        result.dogs[name]!.walks = theirs.filter { !added.contains($0) } + added
      }
    }
    return result
  }
}
