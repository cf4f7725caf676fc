import DataModel

/// Releases objects that retain each other.
///
/// A list retains its members, a to-one retains nothing. So objects retain each other where
/// to-manys form a cycle, as the two ends of a many-to-many do. While the context exists its
/// objects may be needed again; after it is deallocated nothing would release them.
extension ManagedObjectContext {
  /// Releases the lists that may be part of a cycle; other lists stay readable.
  func dropCircularLists() {
    let circular = circularToManys
    guard !circular.isEmpty else { return }
    // All objects are retained while lists are released, since that may be the last reference to
    // some.
    let objects = registeredObjects
    for object in objects {
      guard let lists = object._lists else { continue }
      for number in circular[object._entity.binding.index] ?? [] {
        lists.toManys[number] = ToManyMembers()
      }
    }
  }

  /// The to-manys that may be part of a cycle, as numbers by the indices of their entities.
  private var circularToManys: [Int: [Int]] {
    var steps: [Int: Set<Int>] = [:]
    for entity in entities where entity.table.count > 0 {
      for toMany in entity.binding.toManys {
        steps[entity.binding.root, default: []].insert(binding(at: toMany.destination).root)
      }
    }
    guard !steps.isEmpty else { return [:] }
    let ends = steps.mapValues { Self.ends(from: $0, steps) }
    var circular: [Int: [Int]] = [:]
    for entity in entities {
      let numbers = entity.binding.toManys.filter { toMany in
        ends[binding(at: toMany.destination).root]?.contains(entity.binding.root) == true
      }
      if !numbers.isEmpty { circular[entity.binding.index] = numbers.map(\.number) }
    }
    return circular
  }

  /// The entities that can be reached from some entities in any number of steps.
  private static func ends(from indices: Set<Int>, _ steps: [Int: Set<Int>]) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = Array(indices)
    while let index = waiting.popLast() {
      if found.insert(index).inserted { waiting += steps[index] ?? [] }
    }
    return found
  }
}
