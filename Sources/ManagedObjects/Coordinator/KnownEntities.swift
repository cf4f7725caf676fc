/// The entities of a coordinator's stores.
///
/// What was removed is forgotten, but for the last store that had an entity which none has now:
/// who asks for its objects is told that the store was removed.
struct KnownEntities {
  /// Those of stores that are there, and of the few that stay for what they say.
  private(set) var bindings = EntityBindings()
  /// How often stores have come or gone.
  private(set) var version = 0
  /// The index that the first entity of the next store gets.
  private(set) var nextIndex = 0

  /// Takes the entities of a new store in, if there is one, and those of removed ones out.
  mutating func update(adding new: [EntityBinding]) {
    version += 1
    if let last = new.last { nextIndex = last.index + 1 }
    let all = bindings.all + new
    guard all.contains(where: \.store.isRemoved) else {
      bindings = EntityBindings(all)
      return
    }
    var names = Set(all.lazy.filter { !$0.store.isRemoved }.map(\.name))
    var staying: Set<ObjectIdentifier> = []
    for binding in all.reversed() where binding.store.isRemoved {
      if names.insert(binding.name).inserted { staying.insert(ObjectIdentifier(binding.store)) }
    }
    bindings = EntityBindings(
      all.filter { !$0.store.isRemoved || staying.contains(ObjectIdentifier($0.store)) })
  }
}
