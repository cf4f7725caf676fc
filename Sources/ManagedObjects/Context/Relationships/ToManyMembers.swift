/// The members of one to-many relationship of one object, as far as the context knows them.
///
/// Not loaded, it holds only the members that were added since; loaded, all of them. A member taken
/// out leaves a hole, so that taking out costs O(1); holes are closed when an index is asked for.
struct ToManyMembers {
  private(set) var entries: [ManagedObject?] = []
  private(set) var holes = 0
  /// The index of each member in `entries`; made when first needed.
  private var indexes: [ObjectIdentifier: Int]?

  /// Whether all members are here, not just those added since.
  var isLoaded = false
  /// Members that were taken out before the stored ones were loaded.
  private(set) var removed: [ManagedObject] = []
  /// Whether the order among members that were here before has changed, so that it must be stored
  /// anew.
  var isRearranged = false
  /// Whether anything was changed since the last save.
  var isChanged = false
  /// The members at the last save or load, to go back to; nil while nothing has changed.
  private(set) var original: [ManagedObject?]?
  /// Where its changes stand in the event that is noted for undoing; negative where nowhere.
  var eventIndex = -1

  var count: Int { entries.count - holes }

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

  /// Takes over what the store holds, with members added before behind it.
  ///
  /// - Parameters:
  ///   - stored: The members, without holes.
  ///   - visible: Those of them that unsaved changes have left in the list; all unless told.
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

  /// Takes a member out; false where it was none.
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

  /// Notes that an object is no member any more, whether the members are loaded or not.
  ///
  /// For relationships that nothing in the member's own row tells of.
  ///
  /// - Precondition: it is not among those added since.
  mutating func forget(_ object: ManagedObject) {
    isChanged = true
    removed.append(object)
  }

  /// Notes a member that was not one before, whether the members are loaded or not.
  mutating func remember(_ object: ManagedObject) {
    recall(object)
    append(object)
  }

  /// Takes back that a member was forgotten; false where it was not.
  @discardableResult
  mutating func recall(_ object: ManagedObject) -> Bool {
    guard let index = removed.firstIndex(where: { $0 === object }) else { return false }
    removed.remove(at: index)
    return true
  }

  /// Who has come and who has gone since the last save.
  var changes: (added: [ManagedObject], removed: [ManagedObject]) {
    guard isChanged else { return ([], []) }
    let now = entries.compactMap { $0 }
    guard isLoaded else { return (now, removed) }
    let before = (original ?? []).compactMap { $0 }
    let identities = Set(now.map { ObjectIdentifier($0) })
    let old = Set(before.map { ObjectIdentifier($0) })
    return (
      now.filter { !old.contains(ObjectIdentifier($0)) },
      before.filter { !identities.contains(ObjectIdentifier($0)) }
    )
  }

  /// The members at the last save; right once all are loaded.
  var committed: [ManagedObject] { (original ?? entries).compactMap { $0 } }

  /// Whether there are other members than at the last save, or in another order.
  var isOtherwise: Bool {
    guard isChanged else { return false }
    guard isLoaded, let original else { return !entries.isEmpty || !removed.isEmpty }
    return !original.lazy.compactMap { $0 }.elementsEqual(
      entries.lazy.compactMap { $0 }, by: ===)
  }

  /// Whether the members stand otherwise than those that were here before, with the new ones
  /// behind.
  ///
  /// Also true where one left and came back, which appends it without rearranging the others.
  var isReordered: Bool {
    guard isChanged, !isRearranged, isLoaded, let original else { return isRearranged }
    let now = entries.lazy.compactMap { $0 }
    let members = Set(now.map { ObjectIdentifier($0) })
    let kept = original.lazy.compactMap { $0 }.filter { members.contains(ObjectIdentifier($0)) }
    return !now.starts(with: kept, by: ===)
  }

  mutating func contains(_ object: ManagedObject) -> Bool { index(of: object) != nil }

  /// Puts the members into another order.
  mutating func rearrange(_ objects: some Collection<ManagedObject>) {
    willChange()
    entries = objects.map { $0 }
    holes = 0
    indexes = nil
    isRearranged = true
  }

  /// The save went through: what is here is what is stored.
  mutating func didSave() {
    if !isLoaded {
      entries = []
      holes = 0
      indexes = nil
    }
    markAsStored()
  }

  /// Goes back to what was there at the last save.
  mutating func rollBack() {
    guard isChanged else { return }
    entries = original ?? []
    holes = entries.count(where: { $0 == nil })
    indexes = nil
    markAsStored()
  }

  /// Forgets the stored members, to be read again; those that were added since stay.
  mutating func unload() {
    let added = changes.added
    self = ToManyMembers()
    for object in added { append(object) }
  }

  /// Takes over what is stored now; what was added, taken out and moved here stays so.
  ///
  /// - Parameter added: the members that were put into the list since the last save, in their
  ///   order.
  /// - Parameter keepsOrder: whether the order here counts more than the stored one.
  /// - Parameter stays: whether a stored member has not been taken out here, by its own account.
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

  /// Takes an object out that has no row any more: there is nothing to save about that.
  mutating func drop(_ object: ManagedObject) {
    removed.removeAll { $0 === object }
    original?.removeAll { $0 === object }
    guard index(of: object) != nil else { return }
    closeHoles()
    entries.removeAll { $0 === object }
    indexes = nil
  }

  /// Takes objects out that have no rows any more.
  mutating func drop(where isGone: (ManagedObject) -> Bool) {
    guard !entries.isEmpty || isChanged else { return }
    removed.removeAll(where: isGone)
    original?.removeAll { $0.map(isGone) ?? false }
    closeHoles()
    entries.removeAll { $0.map(isGone) ?? false }
    indexes = nil
  }

  /// Puts a member back that was taken out and is one again after all, where it stood before.
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
    if isLoaded { original = entries }
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

  /// Puts an object where a member was taken out.
  mutating func fill(_ index: Int, with object: ManagedObject) {
    willChange()
    entries[index] = object
    holes -= 1
    indexes?[ObjectIdentifier(object)] = index
    isRearranged = true
  }

  /// Puts an object between two entries.
  mutating func insertEntry(_ object: ManagedObject, at index: Int) {
    willChange()
    entries.insert(object, at: index)
    indexes = nil
    isRearranged = true
  }

  /// The index of a member among the entries, found without making a table of all.
  func find(_ object: ManagedObject) -> Int? {
    if let last = entries.last, last === object { return entries.count - 1 }
    if let indexes { return indexes[ObjectIdentifier(object)] }
    return entries.firstIndex { $0 === object }
  }

  /// What is here was never stored.
  mutating func startAnew() {
    markAsStored()
    guard count > 0 else { return }
    isChanged = true
    original = []
  }

  /// Takes what is here for what is stored.
  mutating func markAsStored() {
    removed = []
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
