import DataModel

/// An object's ordered to-many by name, which can be changed in place.
///
///     let walks = dog.mutableOrderedSetValue(forKey: "walks")
///     walks.add(walk)
///     walks.moveObjects(at: RangeSet(0..<2), to: 3)
///     walks[0]
///
/// Every change is one of the relationship: the inverse is updated, and no object is a member
/// twice. Retains its object. Follows Core Data's `mutableOrderedSetValue(forKey:)`, which returns
/// an `NSMutableOrderedSet`.
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

  /// The member at an index; setting replaces it by another object, which moves if it is a member.
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

  /// The index of an object, or nil if it is not a member.
  ///
  /// O(n).
  public func index(of object: ManagedObject) -> Int? { array.firstIndex { $0 === object } }

  /// Adds a member at the end; does nothing if the object is a member already.
  public func add(_ object: ManagedObject) { owner.link(object, toMany) }

  /// Adds several members at the end, in their order.
  public func addObjects(from objects: some Sequence<ManagedObject>) {
    for object in objects { add(object) }
  }

  /// Inserts an object at an index; does nothing if it is a member.
  ///
  ///     walks.insert(walk, at: 0)   // the first of them
  ///
  /// - Precondition: the index is at most the number of members.
  public func insert(_ object: ManagedObject, at index: Int) {
    require((0...count).contains(index), owner.outside(toMany, index))
    owner.link(object, toMany, at: index)
  }

  /// Removes a member; does nothing if the object is not one.
  public func remove(_ object: ManagedObject) { owner.unlink(object, toMany) }

  /// Removes the member at an index.
  public func removeObject(at index: Int) { remove(self[index]) }

  /// Removes the members at some indices.
  ///
  ///     walks.removeObjects(at: RangeSet(0..<2))   // [a, b, c] becomes [c]
  public func removeObjects(at indexes: RangeSet<Int>) {
    let positions = indexes.ranges.flatMap { $0 }
    let members = members(at: positions)
    for index in positions { remove(members[index]) }
  }

  /// Removes every member.
  public func removeAllObjects() { setArray([]) }

  /// Replaces a member by an object; one that is a member at another index moves here.
  ///
  ///     walks.replaceObject(at: 0, with: d)   // [a, b, c] becomes [d, b, c]
  public func replaceObject(at index: Int, with object: ManagedObject) {
    var members = members(at: CollectionOfOne(index))
    guard members[index] !== object else { return }
    members[index] = object
    setArray(OrderedSet(keepingLast: members, placed: [index]).array)
  }

  /// Exchanges the members at two indices.
  ///
  ///     walks.exchangeObject(at: 0, withObjectAt: 2)   // [a, b, c] becomes [c, b, a]
  public func exchangeObject(at index: Int, withObjectAt other: Int) {
    var members = members(at: [index, other])
    members.swapAt(index, other)
    setArray(members)
  }

  /// Moves members next to each other, to an index that is counted without them.
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

  /// Sorts the members by a comparison; equal ones keep their order.
  public func sort(by areInIncreasingOrder: (ManagedObject, ManagedObject) throws -> Bool) rethrows
  {
    setArray(try array.sorted(by: areInIncreasingOrder))
  }

  /// Replaces the members by some objects, in their order; duplicates after the first are ignored.
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
