/// The known members of one to-many relationship of one object.
///
/// A list that is not loaded holds only the members that were added since the last save; a loaded
/// one, all of them. Removing a member leaves a hole, so that it is O(1); holes are closed when an
/// index is needed.
struct ToManyMembers {
  private(set) var entries: [ManagedObject?] = []
  private(set) var holes = 0
  /// The index of each member in `entries`; built when first needed.
  private var indexes: [ObjectIdentifier: Int]?

  /// Whether all members are known, not just those added since the last save.
  var isLoaded = false
  /// Members that were removed before the stored ones were loaded.
  private(set) var removed: [ManagedObject] = []
  /// Stored members that were removed and added again before the stored ones were loaded.
  private(set) var recalled: [ManagedObject] = []
  /// Whether the order among the stored members has changed, so that it must be stored again.
  var isRearranged = false
  /// Whether anything was changed since the last save.
  var isChanged = false
  /// The members at the last save or load, for a rollback; nil while nothing has changed.
  private(set) var original: [ManagedObject?]?
  /// The index of its changes in the recorded undo event; negative for none.
  var eventIndex = -1
  /// The deleted members of a relationship without an inverse; nil if none are known.
  private(set) var deleted: DeletedMembers?

  var count: Int { entries.count - holes }

  /// Whether it retains objects: members, or those that were members.
  var holdsObjects: Bool {
    count > 0 || !removed.isEmpty || !(original ?? []).isEmpty || deleted != nil
  }

  /// The members in order.
  var members: [ManagedObject] {
    mutating get {
      closeHoles()
      return entries.map { $0! }
    }
  }

  subscript(position: Int) -> ManagedObject {
    mutating get {
      closeHoles()
      // No holes are left, so every entry is a member.
      return entries[position]!
    }
  }

  /// Loads the stored members, followed by those that were added before.
  ///
  /// - Parameters:
  ///   - stored: The members, without holes.
  ///   - visible: Those of them that unsaved changes have not removed; nil for all.
  mutating func load(_ stored: [ManagedObject?], visible: [ManagedObject?]? = nil) {
    closeHoles()
    let added = entries
    entries = visible ?? stored
    entries += added
    indexes = nil
    isLoaded = true
    guard isChanged || visible.map({ $0.count != stored.count }) ?? false else { return }
    isChanged = true
    original = stored
    removed = []
  }

  mutating func append(_ object: ManagedObject) {
    willChange()
    indexes?[ObjectIdentifier(object)] = entries.count
    entries.append(object)
  }

  mutating func insert(_ object: ManagedObject, at index: Int) {
    guard index < count else { return append(object) }
    willChange()
    closeHoles()
    entries.insert(object, at: index)
    indexes = nil
    isRearranged = true
  }

  /// Removes a member; false if the object was not one.
  @discardableResult
  mutating func remove(_ object: ManagedObject) -> Bool {
    guard let index = index(of: object) else { return false }
    willChange()
    indexes?[ObjectIdentifier(object)] = nil
    if index == entries.count - 1 {
      entries.removeLast()
    } else {
      entries[index] = nil
      holes += 1
    }
    return true
  }

  /// Records that an object is no longer a member, whether the members are loaded or not.
  ///
  /// For relationships that are not stored in the member's own row.
  ///
  /// - Precondition: the object is not among those added since.
  mutating func forget(_ object: ManagedObject) {
    isChanged = true
    removed.append(object)
  }

  /// Records a new member, whether the members are loaded or not.
  mutating func remember(_ object: ManagedObject) {
    if recall(object) { recalled.append(object) }
    append(object)
  }

  /// Cancels `forget(_:)` for a member; false if it was not called.
  @discardableResult
  mutating func recall(_ object: ManagedObject) -> Bool {
    guard let index = removed.firstIndex(where: { $0 === object }) else { return false }
    removed.remove(at: index)
    return true
  }

  /// The members that were added and removed since the last save.
  var changes: (added: [ManagedObject], removed: [ManagedObject]) {
    guard isChanged else { return ([], []) }
    let now = entries.compactMap { $0 }
    guard isLoaded else { return (now, removed) }
    let before = (original ?? []).compactMap { $0 }
    let identities = Set(now.map { ObjectIdentifier($0) })
    let old = Set(before.map { ObjectIdentifier($0) })
    let deleted = deleted?.identities ?? []
    return (
      now.filter { !old.contains(ObjectIdentifier($0)) },
      before.filter {
        !identities.contains(ObjectIdentifier($0)) && !deleted.contains(ObjectIdentifier($0))
      }
    )
  }

  /// The members at the last save; correct once all are loaded.
  var committed: [ManagedObject] {
    if let original { return original.compactMap { $0 } }
    let members = entries.compactMap { $0 }
    return deleted?.inserted(into: members) ?? members
  }

  /// Whether the members, or their order, differ from those of the last save.
  var differsFromSaved: Bool {
    guard isChanged else { return false }
    guard isLoaded, let original else { return !entries.isEmpty || !removed.isEmpty }
    return !original.lazy.compactMap { $0 }.elementsEqual(
      entries.lazy.compactMap { $0 }, by: ===)
  }

  /// Whether the order differs from that of the last save with new members appended.
  ///
  /// Also true if a member was removed and added again, which appends it without rearranging the
  /// others.
  var isReordered: Bool {
    guard isChanged, !isRearranged, isLoaded, let original else { return isRearranged }
    let now = entries.lazy.compactMap { $0 }
    let members = Set(now.map { ObjectIdentifier($0) })
    let kept = original.lazy.compactMap { $0 }.filter { members.contains(ObjectIdentifier($0)) }
    return !now.starts(with: kept, by: ===)
  }

  mutating func contains(_ object: ManagedObject) -> Bool { index(of: object) != nil }

  /// Rearranges the members.
  mutating func rearrange(_ objects: some Collection<ManagedObject>) {
    willChange()
    entries = objects.map { $0 }
    holes = 0
    indexes = nil
    isRearranged = true
  }

  /// Marks the current members as stored after a successful save.
  mutating func didSave() {
    if !isLoaded {
      entries = []
      holes = 0
      indexes = nil
    }
    markAsStored()
  }

  /// Restores the members of the last save.
  mutating func rollBack() {
    guard isChanged else { return }
    entries = original ?? []
    holes = entries.count(where: { $0 == nil })
    indexes = nil
    deleted = nil
    markAsStored()
  }

  /// Unloads the stored members, to be read again; those added since stay.
  mutating func unload() {
    let added = changes.added
    self = ToManyMembers()
    for object in added { append(object) }
  }

  /// Merges the stored members; additions, removals and moves made here are kept.
  ///
  /// - Parameter added: the members that were added since the last save, in their order.
  /// - Parameter keepsOrder: whether the order here takes precedence over the stored one.
  /// - Parameter stays: whether a stored member has not been removed here, by its own to-one.
  mutating func merge(
    _ stored: [ManagedObject], added: [ManagedObject], keepsOrder: Bool,
    where stays: (ManagedObject) -> Bool
  ) {
    let removed = changes.removed
    let own = Set(added.lazy.map { ObjectIdentifier($0) })
    let present = Set(stored.lazy.map { ObjectIdentifier($0) })
    var gone = Set(removed.lazy.map { ObjectIdentifier($0) })
    if keepsOrder {
      let kept = members.filter {
        present.contains(ObjectIdentifier($0)) || own.contains(ObjectIdentifier($0))
      }
      gone.formUnion(kept.lazy.map { ObjectIdentifier($0) })
      entries = kept + stored.filter { !gone.contains(ObjectIdentifier($0)) && stays($0) }
    } else {
      gone.formUnion(own)
      entries = stored.filter { !gone.contains(ObjectIdentifier($0)) && stays($0) } + added
    }
    holes = 0
    indexes = nil
    original = stored
    self.removed = []
    isLoaded = true
  }

  /// Removes an object whose row no longer exists: there is no change to save.
  mutating func drop(_ object: ManagedObject) {
    removed.removeAll { $0 === object }
    original?.removeAll { $0 === object }
    deleted?.drop { $0 === object }
    guard index(of: object) != nil else { return }
    closeHoles()
    entries.removeAll { $0 === object }
    indexes = nil
  }

  /// Removes objects whose rows no longer exist.
  mutating func drop(where isGone: (ManagedObject) -> Bool) {
    guard !entries.isEmpty || isChanged || deleted != nil else { return }
    removed.removeAll(where: isGone)
    original?.removeAll { $0.map(isGone) ?? false }
    deleted?.drop(where: isGone)
    closeHoles()
    entries.removeAll { $0.map(isGone) ?? false }
    indexes = nil
  }

  /// Restores a removed member that is one again after all, at its former position.
  mutating func restore(_ object: ManagedObject) {
    removed.removeAll { $0 === object }
    guard isLoaded, index(of: object) == nil else { return }
    guard !isRearranged, let original else { return append(object) }
    closeHoles()
    var kept = Set(entries.lazy.map { ObjectIdentifier($0!) })
    kept.insert(ObjectIdentifier(object))
    let old = original.compactMap { $0 }.filter { kept.contains(ObjectIdentifier($0)) }
    let known = Set(old.lazy.map { ObjectIdentifier($0) })
    entries = old + entries.filter { !known.contains(ObjectIdentifier($0!)) }
    indexes = nil
  }

  mutating func willChange() {
    guard !isChanged else { return }
    isChanged = true
    guard isLoaded else { return }
    original = deleted.map { $0.inserted(into: entries.compactMap { $0 }) } ?? entries
  }

  mutating func index(of object: ManagedObject) -> Int? {
    if let last = entries.last, last === object { return entries.count - 1 }
    if indexes == nil {
      var found: [ObjectIdentifier: Int] = Dictionary(minimumCapacity: entries.count)
      for (index, entry) in entries.enumerated() {
        if let entry { found[ObjectIdentifier(entry)] = index }
      }
      indexes = found
    }
    return indexes?[ObjectIdentifier(object)]
  }

  /// Takes deleted members out of the entries, and puts those back that no longer are.
  ///
  /// This is no change of the list: the store deletes their links with their rows.
  mutating func separateDeleted(where isDeleted: (ManagedObject) -> Bool) {
    guard deleted != nil || entries.contains(where: { $0.map(isDeleted) ?? false }) else { return }
    let all = deleted?.inserted(into: members) ?? members
    entries = all.filter { !isDeleted($0) }
    holes = 0
    indexes = nil
    deleted = entries.count == all.count ? nil : DeletedMembers(all, where: isDeleted)
  }

  /// Marks members whose rows were deleted, and are to be inserted again, as added; false if none
  /// of the objects was a member.
  mutating func addAgain(_ objects: Set<ObjectIdentifier>) -> Bool {
    if let known = deleted?.identities, !known.isDisjoint(with: objects) {
      let gone = known.subtracting(objects)
      separateDeleted { gone.contains(ObjectIdentifier($0)) }
    }
    func isOne(_ entry: ManagedObject?) -> Bool {
      entry.map { objects.contains(ObjectIdentifier($0)) } ?? false
    }
    guard isLoaded, entries.contains(where: isOne) else { return false }
    willChange()
    original?.removeAll(where: isOne)
    return true
  }

  /// Takes a member out that counts as added but is stored, so that it is loaded at its index.
  mutating func forgetAdded(_ object: ManagedObject) {
    entries.removeAll { $0 === object }
    holes = entries.count(where: { $0 == nil })
    indexes = nil
  }

  /// Fills a hole that a removed member has left.
  mutating func fill(_ index: Int, with object: ManagedObject) {
    willChange()
    entries[index] = object
    holes -= 1
    indexes?[ObjectIdentifier(object)] = index
    isRearranged = true
  }

  /// Inserts an object between two entries.
  mutating func insertEntry(_ object: ManagedObject, at index: Int) {
    willChange()
    entries.insert(object, at: index)
    indexes = nil
    isRearranged = true
  }

  /// The index of a member among the entries, found without building the table of indexes.
  func find(_ object: ManagedObject) -> Int? {
    if let last = entries.last, last === object { return entries.count - 1 }
    if let indexes { return indexes[ObjectIdentifier(object)] }
    return entries.firstIndex { $0 === object }
  }

  /// Marks all members as added: none was ever stored.
  mutating func startAnew() {
    if let deleted { entries = deleted.inserted(into: members) }
    (deleted, indexes) = (nil, nil)
    markAsStored()
    guard count > 0 else { return }
    isChanged = true
    original = []
  }

  /// Marks the current members as stored.
  mutating func markAsStored() {
    removed = []
    recalled = []
    original = nil
    isChanged = false
    isRearranged = false
  }

  private mutating func closeHoles() {
    guard holes > 0 else { return }
    entries.removeAll { $0 == nil }
    holes = 0
    indexes = nil
  }
}
