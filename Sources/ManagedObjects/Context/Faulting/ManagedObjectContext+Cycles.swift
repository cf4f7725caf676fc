import DataModel

/// Reference cycles among objects.
///
/// A to-many list retains its members, and a to-one retains nothing. So objects retain each other
/// if to-manys form a cycle, as the two ends of a many-to-many do. While an object belongs to its
/// context its lists may be needed again; after it has left the context, or the context is
/// deallocated, only dropping those lists releases it.
extension ManagedObjectContext {
  /// Drops the lists of all objects that may be part of a cycle; other lists stay readable.
  func dropCircularLists() {
    let numbers = circularToManys
    guard !numbers.isEmpty else { return }
    // All objects are retained while lists are dropped, which may be the last reference to some.
    let objects = registeredObjects + detachedObjects.compactMap(\.object)
    detachedObjects = []
    for object in objects { object.dropLists(numbers[object._entity.binding.index] ?? []) }
  }

  /// Notes that an object leaves the context, if its lists may be part of a cycle.
  func recordDetached(_ object: ManagedObject) {
    guard object._lists != nil, circularToManys[object._entity.binding.index] != nil else { return }
    detachedObjects.append(WeakObject(object: object))
  }

  /// Drops the lists of objects that have left, unless an undo may bring those objects back.
  func releaseListsOfDetachedObjects() {
    guard !detachedObjects.isEmpty else { return }
    if let manager = changeRecorder?.manager, manager.hasActions {
      detachedObjects.removeAll { $0.object == nil }
      return
    }
    let numbers = circularToManys
    let objects = detachedObjects.compactMap(\.object)
    detachedObjects = []
    for object in objects where object._state.contains(.detached) {
      object.dropLists(numbers[object._entity.binding.index] ?? [])
    }
  }

  /// The to-manys that may be part of a cycle, as numbers by the indices of their entities.
  private var circularToManys: [Int: [Int]] {
    if let relationshipCycles, relationshipCycles.entityCount == entities.count {
      return relationshipCycles.toManys
    }
    var steps: [Int: Set<Int>] = [:]
    for entity in entities {
      for toMany in entity.binding.toManys {
        steps[entity.binding.root, default: []].insert(binding(at: toMany.destination).root)
      }
    }
    let ends = steps.mapValues { Self.ends(from: $0, steps) }
    var circular: [Int: [Int]] = [:]
    for entity in entities {
      let numbers = entity.binding.toManys.filter { toMany in
        ends[binding(at: toMany.destination).root]?.contains(entity.binding.root) == true
      }
      if !numbers.isEmpty { circular[entity.binding.index] = numbers.map(\.number) }
    }
    relationshipCycles = RelationshipCycles(entityCount: entities.count, toManys: circular)
    return circular
  }

  /// All indices that steps reach from some, however many are taken.
  private static func ends(from indices: Set<Int>, _ steps: [Int: Set<Int>]) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = Array(indices)
    while let index = waiting.popLast() {
      if found.insert(index).inserted { waiting += steps[index] ?? [] }
    }
    return found
  }

  /// The to-manys that may be part of a cycle, found once for as many entities.
  struct RelationshipCycles {
    let entityCount: Int
    let toManys: [Int: [Int]]
  }

  /// An object that is not kept alive.
  struct WeakObject {
    private(set) weak var object: ManagedObject?
  }
}

extension ManagedObject {
  /// Forgets the members of some lists; one without any can still be read.
  fileprivate func dropLists(_ numbers: [Int]) {
    guard let _lists else { return }
    for number in numbers where _lists.toManys[number].holdsObjects {
      _lists.toManys[number] = ToManyMembers()
    }
  }
}
