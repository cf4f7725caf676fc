import DataModel

/// The functions that momc's to-many accessors call.
///
/// Each of them links or unlinks single members, which updates both sides: with a foreign key in
/// the member, by setting its to-one; with a join table, in both lists.
extension ManagedObject {
  /// The members of an ordered to-many relationship.
  ///
  /// The first read fetches them, with one query.
  public func orderedToMany<Member: ManagedObject>(at property: PropertySlot) -> OrderedSet<Member>
  {
    OrderedSet(unique: members(toMany(property)))
  }

  /// Sets the members of an ordered to-many relationship, and their order.
  public func setOrderedToMany<Member: ManagedObject>(
    _ members: OrderedSet<Member>, at property: PropertySlot
  ) {
    replaceAll(of: toMany(property), with: members.array)
  }

  /// The members of an unordered to-many relationship.
  ///
  /// The first read fetches them, with one query.
  public func unorderedToMany<Member: ManagedObject>(at property: PropertySlot) -> Set<Member> {
    Set(members(toMany(property)) as [Member])
  }

  /// Sets the members of an unordered to-many relationship.
  public func setUnorderedToMany<Member: ManagedObject>(
    _ members: Set<Member>, at property: PropertySlot
  ) {
    replaceAll(of: toMany(property), with: Array(members))
  }

  // MARK: One member

  /// Adds a member at the end, unless it is one already; fetches no members for that.
  public func add(_ object: ManagedObject, to property: PropertySlot) {
    link(object, toMany(property))
  }

  /// Removes a member; does nothing if the object is not one.
  public func remove(_ object: ManagedObject, from property: PropertySlot) {
    unlink(object, toMany(property))
  }

  /// Inserts an object at an index; does nothing if it is a member already.
  ///
  /// - Precondition: the index is at most the number of members.
  public func insert(_ object: ManagedObject, at index: Int, into property: PropertySlot) {
    let toMany = loaded(toMany(property))
    require((0...lists.toManys[toMany.number].count).contains(index), outside(toMany, index))
    link(object, toMany, at: index)
  }

  /// Removes the member at an index.
  ///
  /// - Precondition: there is a member at that index.
  public func remove(at index: Int, from property: PropertySlot) {
    let toMany = loaded(toMany(property))
    checkIndex(index, in: toMany)
    unlink(lists.toManys[toMany.number][index], toMany)
  }

  /// Replaces a member by an object; one that is a member at another index moves here.
  ///
  /// - Precondition: there is a member at that index.
  public func replace(at index: Int, with object: ManagedObject, in property: PropertySlot) {
    let toMany = loaded(toMany(property))
    checkIndex(index, in: toMany)
    var members = lists.toManys[toMany.number].members
    guard members[index] !== object else { return }
    members[index] = object
    replaceAll(of: toMany, with: OrderedSet(keepingLast: members, placed: [index]).array)
  }

  // MARK: Several members

  /// Adds members at the end, in their order, except those that are members already.
  public func add(_ objects: OrderedSet<some ManagedObject>, to property: PropertySlot) {
    for object in objects { add(object, to: property) }
  }

  /// Adds members, except those that are members already.
  public func add(_ objects: Set<some ManagedObject>, to property: PropertySlot) {
    for object in objects { add(object, to: property) }
  }

  /// Removes members; ignores objects that are not members.
  public func remove(_ objects: OrderedSet<some ManagedObject>, from property: PropertySlot) {
    for object in objects { remove(object, from: property) }
  }

  /// Removes members; ignores objects that are not members.
  public func remove(_ objects: Set<some ManagedObject>, from property: PropertySlot) {
    for object in objects { remove(object, from: property) }
  }

  /// Inserts objects at indexes of the resulting list; ignores those that are members already.
  ///
  /// - Precondition: there are as many indexes as objects.
  public func insert(
    _ objects: [some ManagedObject], at indexes: RangeSet<Int>, into property: PropertySlot
  ) {
    let positions = indexes.ranges.flatMap { $0 }
    require(positions.count == objects.count, "There must be as many indexes as objects.")
    for (index, object) in zip(positions, objects) { insert(object, at: index, into: property) }
  }

  /// Removes the members at some indexes.
  public func remove(at indexes: RangeSet<Int>, from property: PropertySlot) {
    let toMany = loaded(toMany(property))
    let positions = indexes.ranges.flatMap { $0 }
    for index in positions { checkIndex(index, in: toMany) }
    let members = lists.toManys[toMany.number].members
    for index in positions { unlink(members[index], toMany) }
  }

  /// Replaces members by other objects; those that are members at another index move here.
  public func replace(
    at indexes: RangeSet<Int>, with objects: [some ManagedObject], in property: PropertySlot
  ) {
    let toMany = loaded(toMany(property))
    let positions = indexes.ranges.flatMap { $0 }
    for index in positions { checkIndex(index, in: toMany) }
    var members = lists.toManys[toMany.number].members
    require(positions.count == objects.count, "There must be as many indexes as objects.")
    for (index, object) in zip(positions, objects) { members[index] = object }
    replaceAll(of: toMany, with: OrderedSet(keepingLast: members, placed: Set(positions)).array)
  }

  // MARK: Implementation

  private func toMany(_ property: PropertySlot) -> EntityBinding.ToMany {
    let binding = _entity.binding
    if binding.hasCompiledSlots, property.number >= 0 {
      let toMany = binding.toManys[property.number]
      assert(
        toMany.description.name == property.name.description,
        "\(property.name) is not to-many \(property.number): only code that momc generates should pass numbers."
      )
      return toMany
    }
    guard let number = binding.toManysByName[property.name.description] else {
      fatalError("\(binding.name) has no to-many \(property.name) in this model.")
    }
    return binding.toManys[number]
  }

  /// Traps if a loaded to-many has no member at an index.
  func checkIndex(_ index: Int, in toMany: EntityBinding.ToMany) {
    require((0..<lists.toManys[toMany.number].count).contains(index), outside(toMany, index))
  }

  func outside(_ toMany: EntityBinding.ToMany, _ index: Int) -> String {
    "Index \(index) is outside \(_entity.binding.name).\(toMany.description.name)."
  }

  private func members<Member: ManagedObject>(_ toMany: EntityBinding.ToMany) -> [Member] {
    let members = lists.toManys[loaded(toMany).number].members
    require(
      members.allSatisfy { $0 is Member },
      "\(_entity.binding.name).\(toMany.description.name) contains objects that are not of the class \(Member.self)."
    )
    return members.map { unsafeDowncast($0, to: Member.self) }  // Checked in the line before.
  }

  /// Fetches the members if that was not done yet, without those that are deleted.
  @discardableResult
  func loaded(_ toMany: EntityBinding.ToMany) -> EntityBinding.ToMany {
    load(toMany)
    separateDeletedMembers(of: toMany)
    return toMany
  }

  /// Fetches the members if that was not done yet.
  ///
  /// Enough to link or unlink one member: looking through all of them for each would be quadratic.
  private func load(_ toMany: EntityBinding.ToMany) {
    if !lists.toManys[toMany.number].isLoaded {
      if _state.isDisjoint(with: [.inserted, .detached]), !toMany.description.isTransient {
        requiredContext.load(toMany, of: self)
      } else {
        lists.toManys[toMany.number].isLoaded = true
      }
    }
  }

  func replaceAll(of toMany: EntityBinding.ToMany, with objects: [ManagedObject]) {
    loaded(toMany)
    let wanted = Set(objects.lazy.map { ObjectIdentifier($0) })
    for member in lists.toManys[toMany.number].members
    where !wanted.contains(ObjectIdentifier(member)) {
      unlink(member, toMany)
    }
    for object in objects { link(object, toMany) }
    guard toMany.description.isOrdered,
      !lists.toManys[toMany.number].members.elementsEqual(objects, by: ===)
    else { return }
    arrangeMembers(objects, in: toMany.number)
    requiredContext.didUpdate(self)
  }
}

// MARK: Links

extension ManagedObject {
  /// Makes an object a member, unless it is one, and updates the inverse.
  ///
  /// - Parameter index: its index in an ordered list; nil for the end.
  func link(
    _ object: ManagedObject, _ toMany: EntityBinding.ToMany, at index: Int? = nil
  ) {
    if case .toOne(let slot) = toMany.inverse {
      return object.setToOne(self, slot: slot, at: index)
    }
    let context = requiredContext
    load(toMany)
    recallDeleted(object, in: toMany)
    guard !lists.toManys[toMany.number].contains(object),
      isValidDestination(object, toMany.destination, toMany.description.name)
    else { return }
    addMember(object, to: toMany.number, at: index)
    context.didUpdate(self)
    // An object that is linked with itself by a relationship that is its own inverse has one link.
    guard case .toMany(let number) = toMany.inverse,
      object !== self || number != toMany.number
    else { return }
    if object._state.contains(.inserted) { object.lists.toManys[number].isLoaded = true }
    object.rememberMember(self, in: number)
    context.didUpdate(object)
  }

  /// Removes an object from the members; does nothing if it is not one.
  func unlink(_ object: ManagedObject, _ toMany: EntityBinding.ToMany) {
    if case .toOne(let slot) = toMany.inverse {
      if object.toOne(slot) === self { object.setToOne(nil, slot: slot) }
      return
    }
    load(toMany)
    recallDeleted(object, in: toMany)
    guard removeMember(object, from: toMany.number) else { return }
    requiredContext.didUpdate(self)
    guard case .toMany(let number) = toMany.inverse,
      object !== self || number != toMany.number
    else { return }
    object.forgetMember(self, in: number)
    requiredContext.didUpdate(object)
  }
}

extension OrderedSet where Element == ManagedObject {
  /// Removes duplicates, keeping those at the indexes that were just set.
  init(keepingLast objects: some Sequence<ManagedObject>, placed: Set<Int>) {
    let objects = Array(objects)
    let kept = Set(placed.map { ObjectIdentifier(objects[$0]) })
    self.init(
      objects.enumerated().compactMap { index, object in
        placed.contains(index) || !kept.contains(ObjectIdentifier(object)) ? object : nil
      })
  }
}
