import DataModel

/// An object's unordered to-many by name, which can be changed in place.
///
///     let tags = note.mutableSetValue(forKey: "tags")
///     tags.add(tag)
///     tags.count   // 1
///
/// Every change is one of the relationship: the inverse is updated. Retains its object. Follows
/// Core Data's `mutableSetValue(forKey:)`, which returns an `NSMutableSet`.
public struct MutableSet: Sequence {
  let owner: ManagedObject
  let toMany: EntityBinding.ToMany

  /// The members, in no order.
  public var allObjects: [ManagedObject] {
    owner.lists.toManys[owner.loaded(toMany).number].members
  }
  /// The number of members.
  public var count: Int { owner.lists.toManys[owner.loaded(toMany).number].count }
  /// Whether there are no members.
  public var isEmpty: Bool { count == 0 }

  /// An iterator over the current members.
  public func makeIterator() -> IndexingIterator<[ManagedObject]> { allObjects.makeIterator() }

  /// Whether an object is a member.
  public func contains(_ object: ManagedObject) -> Bool {
    owner.lists.toManys[owner.loaded(toMany).number].contains(object)
  }

  /// Adds a member; does nothing if the object is a member already.
  public func add(_ object: ManagedObject) { owner.link(object, toMany) }

  /// Removes a member; does nothing if the object is not one.
  public func remove(_ object: ManagedObject) { owner.unlink(object, toMany) }

  /// Removes every member.
  public func removeAllObjects() { owner.replaceAll(of: toMany, with: []) }

  /// Replaces the members by some objects.
  public func setSet(_ objects: Set<ManagedObject>) {
    owner.replaceAll(of: toMany, with: Array(objects))
  }

  /// Adds several members.
  public func union(_ objects: some Sequence<ManagedObject>) {
    for object in objects { add(object) }
  }

  /// Removes several members.
  public func minus(_ objects: some Sequence<ManagedObject>) {
    for object in objects { remove(object) }
  }

  /// Removes the members that are not in a set.
  public func intersect(_ objects: Set<ManagedObject>) {
    for object in allObjects where !objects.contains(object) { remove(object) }
  }
}

@available(*, unavailable) extension MutableSet: Sendable {}

extension MutableSet: ObjectCollection {
  var objects: [ManagedObject] { allObjects }
}

extension ManagedObject {
  /// An unordered to-many by name, which can be changed in place.
  ///
  ///     person.mutableSetValue(forKey: "pets").add(fido)   // fido.owner is the person
  ///
  /// Reads the members when they are first needed.
  ///
  /// - Precondition: the entity has such a to-many.
  public func mutableSetValue(forKey key: String) -> MutableSet {
    let toMany = toMany(key)
    require(
      !toMany.description.isOrdered,
      "\(_entity.binding.name).\(key) is ordered: use mutableOrderedSetValue(forKey:).")
    return MutableSet(owner: self, toMany: toMany)
  }

  /// An ordered to-many by name, which can be changed in place.
  ///
  ///     fido.mutableOrderedSetValue(forKey: "walks").insert(walk, at: 0)   // walk.dog is fido
  ///
  /// Reads the members when they are first needed.
  ///
  /// - Precondition: the entity has such a to-many.
  public func mutableOrderedSetValue(forKey key: String) -> MutableOrderedSet {
    let toMany = toMany(key)
    require(
      toMany.description.isOrdered,
      "\(_entity.binding.name).\(key) is not ordered: use mutableSetValue(forKey:).")
    return MutableOrderedSet(owner: self, toMany: toMany)
  }

  private func toMany(_ key: String) -> EntityBinding.ToMany {
    guard let number = _entity.binding.toManysByName[key] else {
      fatalError("\(_entity.binding.name) has no to-many \(key) in this model.")
    }
    return _entity.binding.toManys[number]
  }
}
