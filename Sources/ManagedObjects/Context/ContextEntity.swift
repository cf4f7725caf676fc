/// An entity inside one context: what all its objects there share, so that each needs one
/// reference.
///
/// Outlives its context where objects do; then `context` is nil and they answer only what they
/// hold.
@usableFromInline
final class ContextEntity {
  let binding: EntityBinding
  /// Registered objects of the whole family of entities.
  let table: ObjectTable
  // The context clears this before it goes.
  unowned(unsafe) var context: ManagedObjectContext?

  /// Whether accessors that momc wrote may use their slot numbers here.
  @usableFromInline let hasCompiledSlots: Bool

  /// The class of its objects.
  let objectClass: ManagedObject.Type
  /// The methods of that class that may be its own.
  let overridden: OverriddenMethods
  /// What its objects' values must be to be saved.
  private(set) lazy var rules = EntityRules(binding) { context!.binding(at: $0) }

  /// What lets go of its objects' lists.
  let releases: ReleaseQueue

  /// Who notes what is read, where the objects are made for that.
  let probe: KeyPathProbe?

  init(
    binding: EntityBinding, table: ObjectTable, context: ManagedObjectContext?,
    releases: ReleaseQueue = ReleaseQueue(), probe: KeyPathProbe? = nil
  ) {
    self.probe = probe
    self.releases = releases
    self.binding = binding
    self.table = table
    self.context = context
    // By name they look who reads.
    hasCompiledSlots = binding.hasCompiledSlots && context?.owner == nil
    objectClass = binding.objectClass
    overridden = objectClass.overriddenMethods
  }
}

@available(*, unavailable) extension ContextEntity: Sendable {}

extension EntityBinding {
  /// The class of the entity's objects: the one that its model names, or `ManagedObject`.
  var objectClass: ManagedObject.Type { namedClass as? ManagedObject.Type ?? ManagedObject.self }
}
