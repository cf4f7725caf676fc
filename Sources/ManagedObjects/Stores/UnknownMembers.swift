/// Why a save did not go through that deletes objects: their rows have members which the context
/// did not know of when it followed the delete rules.
///
/// Somebody else has added them since the lists were read. The save has changed nothing; the
/// context follows the rules for them too and tries again.
struct UnknownMembers: Error {
  /// The lists: whose they are, and the numbers of their relationships.
  var lists: [(entity: EntityBinding, key: Int64, toMany: Int)] = []

  /// What a caller hears where the save never gets through.
  var conflict: ConflictError {
    ConflictError(objectID: ManagedObjectID(binding: lists[0].entity, key: lists[0].key))
  }
}

extension EntityBinding.ToMany {
  /// Whether the links are rows of their own.
  var isLinked: Bool {
    if case .join = storage { true } else { false }
  }

  /// Whether an owner cannot go without a look at its stored members.
  ///
  /// Links go with either of their ends.
  var bindsMembers: Bool {
    switch (storage, description.deleteRule) {
    case (.foreignKey, .noAction), (.join, .noAction), (.join, .nullify), (.memory, _): false
    case (.foreignKey, _), (.join, _): true
    }
  }
}
