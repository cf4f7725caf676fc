import DataModel

/// What the to-many accessors that momc writes call.
///
/// Each of these comes down to linking or unlinking one member, which keeps both sides: where the
/// links are in the members, by setting their to-one; where they are rows of their own, in both
/// lists.
extension ManagedObject {
  /// The members of an ordered to-many relationship.
  ///
  /// The first read fetches them, one query.
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
  /// The first read fetches them, one query.
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

  /// Adds a member at the end, unless it is one; reads no member for that.
  public func add(_ object: ManagedObject, to property: PropertySlot) {
    link(object, toMany(property))
  }

  /// Takes a member out; does nothing where it is none.
  public func remove(_ object: ManagedObject, from property: PropertySlot) {
    unlink(object, toMany(property))
  }

  /// Puts an object at an index of the order; does nothing where it is a member already.
  ///
  /// - Precondition: the index is at most the number of members.
  public func insert(_ object: ManagedObject, at index: Int, into property: PropertySlot) {
    let toMany = loaded(toMany(property))
    require((0...lists.toManys[toMany.number].count).contains(index), outside(toMany, index))
    link(object, toMany, at: index)
  }

  /// Takes the member at an index out.
  ///
  /// - Precondition: there is one.
  public func remove(at index: Int, from property: PropertySlot) {
    let toMany = loaded(toMany(property))
    checkIndex(index, in: toMany)
    unlink(lists.toManys[toMany.number][index], toMany)
  }

  /// Puts another object in the place of a member; one that is a member elsewhere moves here.
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

  /// Adds members at the end, in their order, but for those that are members already.
  public func add(_ objects: OrderedSet<some ManagedObject>, to property: PropertySlot) {
    for object in objects { add(object, to: property) }
  }

  /// Adds members, but for those that are members already.
  public func add(_ objects: Set<some ManagedObject>, to property: PropertySlot) {
    for object in objects { add(object, to: property) }
  }

  /// Takes members out, but for those that are none.
  public func remove(_ objects: OrderedSet<some ManagedObject>, from property: PropertySlot) {
    for object in objects { remove(object, from: property) }
  }

  /// Takes members out, but for those that are none.
  public func remove(_ objects: Set<some ManagedObject>, from property: PropertySlot) {
    for object in objects { remove(object, from: property) }
  }

  /// Puts objects at indexes counted in the list that results; members already there do nothing.
  ///
  /// - Precondition: there are as many indexes as objects.
  public func insert(
    _ objects: [some ManagedObject], at indexes: RangeSet<Int>, into property: PropertySlot
  ) {
    let positions = indexes.ranges.flatMap { $0 }
    require(positions.count == objects.count, "There must be as many indexes as objects.")
    for (index, object) in zip(positions, objects) { insert(object, at: index, into: property) }
  }

  /// Takes the members at indexes out.
  public func remove(at indexes: RangeSet<Int>, from property: PropertySlot) {
    let toMany = loaded(toMany(property))
    let positions = indexes.ranges.flatMap { $0 }
    for index in positions { checkIndex(index, in: toMany) }
    let members = lists.toManys[toMany.number].members
    for index in positions { unlink(members[index], toMany) }
  }

  /// Puts other objects in the places of members; those that are members elsewhere move here.
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

  // MARK: Underneath

  private func toMany(_ property: PropertySlot) -> EntityBinding.ToMany {
    let binding = _entity.binding
    if binding.hasCompiledSlots, property.number >= 0 {
      let toMany = binding.toManys[property.number]
      assert(
        toMany.description.name == property.name.description,
        "\(property.name) is not to-many \(property.number): leave numbers to momc.")
      return toMany
    }
    guard let number = binding.toManysByName[property.name.description] else {
      fatalError("\(binding.name) has no to-many \(property.name) in this model.")
    }
    return binding.toManys[number]
  }

  /// Traps where a to-many that was read has no member at an index.
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
      "\(_entity.binding.name).\(toMany.description.name) holds objects that are no \(Member.self)."
    )
    return members.map { unsafeDowncast($0, to: Member.self) }  // Checked in the line before.
  }

  /// Fetches the members where that was not done yet.
  @discardableResult
  func loaded(_ toMany: EntityBinding.ToMany) -> EntityBinding.ToMany {
    if !lists.toManys[toMany.number].isLoaded {
      if _state.isDisjoint(with: [.inserted, .gone]), !toMany.description.isTransient {
        requiredContext.load(toMany, of: self)
      } else {
        lists.toManys[toMany.number].isLoaded = true
      }
    }
    if case .none = toMany.inverse { forgetDeletedMembers(of: toMany) }
    return toMany
  }

  /// Drops the members that are deleted; without an inverse they could not take leave themselves.
  private func forgetDeletedMembers(of toMany: EntityBinding.ToMany) {
    let deleted = lists.toManys[toMany.number].members.filter {
      !$0._state.isDisjoint(with: [.deleted, .gone])
    }
    for member in deleted {
      if member._state.contains(.gone) {
        lists.toManys[toMany.number].drop(member)
      } else {
        lists.toManys[toMany.number].remove(member)
        requiredContext.didUpdate(self)
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
  /// Makes an object a member, unless it is one, and this one a member at the other end.
  ///
  /// - Parameter index: where in an ordered list it is to stand; nil for the end.
  func link(
    _ object: ManagedObject, _ toMany: EntityBinding.ToMany, at index: Int? = nil
  ) {
    if case .toOne(let slot) = toMany.inverse {
      return object.setToOne(self, slot: slot, at: index)
    }
    let context = requiredContext
    loaded(toMany)
    guard !lists.toManys[toMany.number].contains(object),
      canLead(to: object, toMany.destination, toMany.description.name)
    else { return }
    addMember(object, to: toMany.number, at: index)
    context.didUpdate(self)
    // One that is linked with itself by a relationship that is its own inverse is one link.
    guard case .toMany(let number) = toMany.inverse,
      object !== self || number != toMany.number
    else { return }
    if object._state.contains(.inserted) { object.lists.toManys[number].isLoaded = true }
    object.rememberMember(self, in: number)
    context.didUpdate(object)
  }

  /// Makes an object a member no more; does nothing where it is none.
  func unlink(_ object: ManagedObject, _ toMany: EntityBinding.ToMany) {
    if case .toOne(let slot) = toMany.inverse {
      if object.toOne(slot) === self { object.setToOne(nil, slot: slot) }
      return
    }
    loaded(toMany)
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
  /// Of objects that come twice, keeps the one that was just placed.
  init(keepingLast objects: some Sequence<ManagedObject>, placed: Set<Int>) {
    let objects = Array(objects)
    let kept = Set(placed.map { ObjectIdentifier(objects[$0]) })
    self.init(
      objects.enumerated().compactMap { index, object in
        placed.contains(index) || !kept.contains(ObjectIdentifier(object)) ? object : nil
      })
  }
}
