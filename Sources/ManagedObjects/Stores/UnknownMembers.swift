/// The reason why a save with deletions failed: the deleted rows have members that the context did
/// not know when it applied the delete rules.
///
/// They were added by another context or process since the lists were read. The save has changed
/// nothing; the context applies the delete rules to them too and tries again.
struct UnknownMembers: Error {
  /// The affected lists: their owners and the numbers of their relationships.
  var lists: [(entity: EntityBinding, key: Int64, toMany: Int)] = []

  /// The error to throw if repeating the save never succeeds.
  var conflict: ConflictError {
    ConflictError(objectID: ManagedObjectID(binding: lists[0].entity, key: lists[0].key))
  }
}

extension EntityBinding.ToMany {
  /// Whether the links are stored in a join table.
  var isLinked: Bool {
    if case .join = storage { true } else { false }
  }

  /// Whether the stored members must be checked before an owner is deleted.
  ///
  /// Links in a join table are deleted with either of their ends.
  var bindsMembers: Bool {
    switch (storage, description.deleteRule) {
    case (.foreignKey, .noAction), (.join, .noAction), (.join, .nullify), (.memory, _): false
    case (.foreignKey, _), (.join, _): true
    }
  }
}
