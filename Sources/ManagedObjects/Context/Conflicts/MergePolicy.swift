/// What a save does where its changes meet another's.
///
///     context.mergePolicy = .mergeByPropertyObjectTrump
///     try context.save()   // Takes over what others changed meanwhile, but for what was changed here.
///
/// For rules of your own, make a subclass, or give closures:
///
///     context.mergePolicy = MergePolicy(.mergeByPropertyObjectTrump) { conflict in
///       guard let dog = conflict.sourceObject as? Dog else { return }
///       let theirs = conflict.persistedSnapshot?["targetMinutes"] as? Int16
///       dog.targetMinutes = max(dog.targetMinutes ?? 0, theirs ?? 0)
///     }
///
/// Not Sendable: it works on a context's objects. Follows Core Data's `NSMergePolicy`.
open class MergePolicy {
  /// The rules that are there already.
  public enum MergePolicyType: Sendable, Hashable {
    /// The save fails; nothing is saved and nothing lost.
    case error
    /// Property by property, what was changed in the store counts, else what was changed here.
    case mergeByPropertyStoreTrump
    /// Property by property, what was changed here counts, else what was changed in the store.
    case mergeByPropertyObjectTrump
    /// The whole object counts as it is here.
    case overwrite
    /// The whole object counts as it is in the store; what was changed here is forgotten.
    case rollback
  }

  /// The rule that is followed where no method or closure says otherwise.
  public let mergeType: MergePolicyType
  private let resolution: ((MergeConflict) throws -> Void)?

  /// Creates a policy.
  ///
  ///     MergePolicy(.overwrite) { print("Overwriting", $0.sourceObject.objectID) }
  ///
  /// `resolution`, if given, is called for each conflict before the rule is followed; it may change
  /// the object, or throw to have the save fail.
  public init(
    _ type: MergePolicyType, resolution: ((MergeConflict) throws -> Void)? = nil
  ) {
    mergeType = type
    self.resolution = resolution
  }

  /// The save fails with `ConflictError` or `PersistentStoreError.uniquenessViolation`.
  ///
  ///     context.mergePolicy = .error   // as it is at first
  public static var error: MergePolicy { MergePolicy(.error) }
  /// Property by property, the store's changes count more.
  ///
  ///     context.mergePolicy = .mergeByPropertyStoreTrump
  ///     // Here name and age were changed, there the age: the name is ours, the age theirs.
  public static var mergeByPropertyStoreTrump: MergePolicy {
    MergePolicy(.mergeByPropertyStoreTrump)
  }
  /// Property by property, the changes made here count more.
  ///
  ///     context.mergePolicy = .mergeByPropertyObjectTrump
  ///     // Here the name was changed, there name and age: the name is ours, the age theirs.
  public static var mergeByPropertyObjectTrump: MergePolicy {
    MergePolicy(.mergeByPropertyObjectTrump)
  }
  /// The object as it is here replaces what is stored.
  ///
  ///     context.mergePolicy = .overwrite
  ///     // Here the name was changed, there the age: both are saved as they are here.
  public static var overwrite: MergePolicy { MergePolicy(.overwrite) }
  /// What is stored replaces the object.
  ///
  ///     context.mergePolicy = .rollback
  ///     // Here the name was changed, there the age: both are what is stored.
  public static var rollback: MergePolicy { MergePolicy(.rollback) }

  /// Resolves conflicts with rows that others changed or deleted since they were read.
  ///
  ///     override func resolve(mergeConflicts: [MergeConflict]) throws {
  ///       for conflict in mergeConflicts where conflict.persistedSnapshot == nil { print(conflict.sourceObject) }
  ///       try super.resolve(mergeConflicts: mergeConflicts)
  ///     }
  ///
  /// An override changes the objects as it likes, or calls this for the rule. Where it returns,
  /// the objects are saved as they are then, even over what others wrote.
  ///
  /// - Throws: what the save is to fail with; `ConflictError` where the rule is `error`.
  open func resolve(mergeConflicts: [MergeConflict]) throws {
    for conflict in mergeConflicts { try resolution?(conflict) }
    guard mergeType != .error || resolution != nil else {
      throw ConflictError(objectIDs: mergeConflicts.map(\.sourceObject.objectID))
    }
    for conflict in mergeConflicts { try conflict.resolve(mergeType) }
  }

  /// Resolves conflicts of objects that have values in common which the model allows once.
  ///
  ///     override func resolve(constraintConflicts: [ConstraintConflict]) throws {
  ///       for conflict in constraintConflicts { print(conflict.constraintValues, "came twice") }
  ///       try super.resolve(constraintConflicts: constraintConflicts)
  ///     }
  ///
  /// The rules make one object of those in conflict: see `ConstraintConflict`. Nobody else writes
  /// to the stores until the save has ended.
  ///
  /// - Throws: what the save is to fail with; `PersistentStoreError.uniquenessViolation` where the
  ///   rule is `error`.
  open func resolve(constraintConflicts: [ConstraintConflict]) throws {
    for conflict in constraintConflicts { try conflict.resolve(mergeType) }
  }

  /// Whether conflicts need not be looked into, since the save fails anyway.
  final var alwaysFails: Bool {
    mergeType == .error && resolution == nil && type(of: self) == MergePolicy.self
  }
}

@available(*, unavailable) extension MergePolicy: Sendable {}
