import DataModel

/// An object's ordered to-many by name, to be changed in place.
///
///     let walks = dog.mutableOrderedSetValue(forKey: "walks")
///     walks.add(walk)
///     walks.moveObjects(at: RangeSet(0..<2), to: 3)
///     walks[0]
///
/// Every change is one of the relationship: the inverse follows, and each object is a member once.
/// Holds its object. Follows Core Data's `mutableOrderedSetValue(forKey:)`, which gives an
/// `NSMutableOrderedSet`.
public struct MutableOrderedSet: RandomAccessCollection {
  let owner: ManagedObject
  let toMany: EntityBinding.ToMany

  /// The members in their order.
  public var array: [ManagedObject] {
    owner.lists.toManys[owner.loaded(toMany).number].members
  }
  /// The first index: 0.
  public var startIndex: Int { 0 }
  /// One past the last index.
  public var endIndex: Int { owner.lists.toManys[owner.loaded(toMany).number].count }

  /// The member at an index; setting puts another object there, which moves if it is a member.
  public subscript(position: Int) -> ManagedObject {
    get {
      owner.checkIndex(position, in: owner.loaded(toMany))
      return owner.lists.toManys[toMany.number][position]
    }
    nonmutating set { replaceObject(at: position, with: newValue) }
  }

  /// Whether an object is a member.
  public func contains(_ object: ManagedObject) -> Bool {
    owner.lists.toManys[owner.loaded(toMany).number].contains(object)
  }

  /// The index of an object, or nil where it is no member.
  ///
  /// O(n).
  public func index(of object: ManagedObject) -> Int? { array.firstIndex { $0 === object } }

  /// Adds a member at the end; does nothing where it is one.
  public func add(_ object: ManagedObject) { owner.link(object, toMany) }

  /// Adds several members at the end, in their order.
  public func addObjects(from objects: some Sequence<ManagedObject>) {
    for object in objects { add(object) }
  }

  /// Puts an object at an index; does nothing where it is a member.
  ///
  ///     walks.insert(walk, at: 0)   // the first of them
  ///
  /// - Precondition: the index is at most the number of members.
  public func insert(_ object: ManagedObject, at index: Int) {
    require((0...count).contains(index), owner.outside(toMany, index))
    owner.link(object, toMany, at: index)
  }

  /// Takes a member out; does nothing where it is none.
  public func remove(_ object: ManagedObject) { owner.unlink(object, toMany) }

  /// Takes the member at an index out.
  public func removeObject(at index: Int) { remove(self[index]) }

  /// Takes the members at some indices out.
  ///
  ///     walks.removeObjects(at: RangeSet(0..<2))   // [a, b, c] becomes [c]
  public func removeObjects(at indexes: RangeSet<Int>) {
    let positions = indexes.ranges.flatMap { $0 }
    let members = members(at: positions)
    for index in positions { remove(members[index]) }
  }

  /// Takes every member out.
  public func removeAllObjects() { setArray([]) }

  /// Puts an object in the place of a member; one that is a member elsewhere moves here.
  ///
  ///     walks.replaceObject(at: 0, with: d)   // [a, b, c] becomes [d, b, c]
  public func replaceObject(at index: Int, with object: ManagedObject) {
    var members = members(at: CollectionOfOne(index))
    guard members[index] !== object else { return }
    members[index] = object
    setArray(OrderedSet(keepingLast: members, placed: [index]).array)
  }

  /// Lets the members at two indices change places.
  ///
  ///     walks.exchangeObject(at: 0, withObjectAt: 2)   // [a, b, c] becomes [c, b, a]
  public func exchangeObject(at index: Int, withObjectAt other: Int) {
    var members = members(at: [index, other])
    members.swapAt(index, other)
    setArray(members)
  }

  /// Moves members next to each other, to an index counted after they were taken out.
  ///
  ///     walks.moveObjects(at: RangeSet(0..<2), to: 1)   // [a, b, c] becomes [c, a, b]
  public func moveObjects(at indexes: RangeSet<Int>, to index: Int) {
    let members = members(at: indexes.ranges.flatMap { $0 })
    let moved = indexes.ranges.flatMap { members[$0] }
    var rest = Array(members.indices.filter { !indexes.contains($0) }.map { members[$0] })
    require((0...rest.count).contains(index), owner.outside(toMany, index))
    rest.insert(contentsOf: moved, at: index)
    setArray(rest)
  }

  /// Puts the members into the order that a comparison says; equal ones stay as they stand.
  public func sort(by areInIncreasingOrder: (ManagedObject, ManagedObject) throws -> Bool) rethrows
  {
    setArray(try array.sorted(by: areInIncreasingOrder))
  }

  /// Makes some objects the members, in their order; of those that come twice the first counts.
  public func setArray(_ objects: [ManagedObject]) {
    owner.replaceAll(of: toMany, with: OrderedSet(objects).array)
  }

  private func members(at positions: some Collection<Int>) -> [ManagedObject] {
    let members = array
    for index in positions { owner.checkIndex(index, in: toMany) }
    return members
  }
}

@available(*, unavailable) extension MutableOrderedSet: Sendable {}

extension MutableOrderedSet: ObjectCollection {
  var objects: [ManagedObject] { array }
}
