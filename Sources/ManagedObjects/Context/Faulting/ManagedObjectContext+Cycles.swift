import DataModel

/// Objects that hold each other.
///
/// A list holds its members, and a to-one holds nobody. So objects hold each other where to-manys
/// lead in a circle, as the two ends of a many-to-many do. As long as the context lives its objects
/// may be wanted again; once it is gone nobody could let go of them.
extension ManagedObjectContext {
  /// Lets go of the lists that may be part of a circle; other lists can be read on.
  func dropCircularLists() {
    let circular = circularToManys
    guard !circular.isEmpty else { return }
    // All are held while lists go: some objects may end with these.
    let objects = registeredObjects
    for object in objects {
      guard let lists = object._lists else { continue }
      for number in circular[object._entity.binding.index] ?? [] {
        lists.toManys[number] = ToManyMembers()
      }
    }
  }

  /// The to-manys from whose members other to-manys may lead back, by their numbers and the indices
  /// of their entities.
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

  /// Where steps lead from some places, however many are taken.
  private static func ends(from indices: Set<Int>, _ steps: [Int: Set<Int>]) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = Array(indices)
    while let index = waiting.popLast() {
      if found.insert(index).inserted { waiting += steps[index] ?? [] }
    }
    return found
  }
}
