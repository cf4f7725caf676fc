/// How a save resolves conflicts between its changes and the store's.
///
///     context.mergePolicy = .mergeByPropertyObjectTrump
///     try context.save()   // Adopts others' changes, except to properties that were changed here.
///
/// For custom rules, make a subclass, or pass a closure:
///
///     context.mergePolicy = MergePolicy(.mergeByPropertyObjectTrump) { conflict in
///       guard let dog = conflict.sourceObject as? Dog else { return }
///       let theirs = conflict.persistedSnapshot?["targetMinutes"] as? Int16
///       dog.targetMinutes = max(dog.targetMinutes ?? 0, theirs ?? 0)
///     }
///
/// Not Sendable: it works on a context's objects. Follows Core Data's `NSMergePolicy`.
open class MergePolicy {
  /// The predefined rules.
  public enum MergePolicyType: Sendable, Hashable {
    /// The save fails; nothing is saved and no change is lost.
    case error
    /// Property by property, changes in the store take precedence over changes made here.
    case mergeByPropertyStoreTrump
    /// Property by property, changes made here take precedence over changes in the store.
    case mergeByPropertyObjectTrump
    /// The whole object is saved as it is here.
    case overwrite
    /// The whole object is as in the store; changes made here are discarded.
    case rollback
  }

  /// The rule that applies if no method or closure resolves a conflict.
  public let mergeType: MergePolicyType
  private let resolution: ((MergeConflict) throws -> Void)?

  /// Creates a policy.
  ///
  ///     MergePolicy(.overwrite) { print("Overwriting", $0.sourceObject.objectID) }
  ///
  /// `resolution`, if given, is called for each conflict before the rule is followed; it may change
  /// the object, or throw to make the save fail.
  public init(
    _ type: MergePolicyType, resolution: ((MergeConflict) throws -> Void)? = nil
  ) {
    mergeType = type
    self.resolution = resolution
  }

  /// A policy with which the save fails on any conflict.
  ///
  ///     context.mergePolicy = .error   // as it is at first
  ///
  /// It throws `ConflictError` or `PersistentStoreError.uniquenessViolation`.
  public static var error: MergePolicy { MergePolicy(.error) }
  /// A policy that merges property by property; the store's changes take precedence.
  ///
  ///     context.mergePolicy = .mergeByPropertyStoreTrump
  ///     // Here name and age were changed, there the age: the name is ours, the age theirs.
  public static var mergeByPropertyStoreTrump: MergePolicy {
    MergePolicy(.mergeByPropertyStoreTrump)
  }
  /// A policy that merges property by property; the changes made here take precedence.
  ///
  ///     context.mergePolicy = .mergeByPropertyObjectTrump
  ///     // Here the name was changed, there name and age: the name is ours, the age theirs.
  public static var mergeByPropertyObjectTrump: MergePolicy {
    MergePolicy(.mergeByPropertyObjectTrump)
  }
  /// A policy by which the object as it is here replaces the stored one.
  ///
  ///     context.mergePolicy = .overwrite
  ///     // Here the name was changed, there the age: both are saved as they are here.
  public static var overwrite: MergePolicy { MergePolicy(.overwrite) }
  /// A policy by which the stored values replace the object's.
  ///
  ///     context.mergePolicy = .rollback
  ///     // Here the name was changed, there the age: both are what is stored.
  public static var rollback: MergePolicy { MergePolicy(.rollback) }

  /// Resolves conflicts with rows that were changed or deleted elsewhere since they were read.
  ///
  ///     override func resolve(mergeConflicts: [MergeConflict]) throws {
  ///       for conflict in mergeConflicts where conflict.persistedSnapshot == nil { print(conflict.sourceObject) }
  ///       try super.resolve(mergeConflicts: mergeConflicts)
  ///     }
  ///
  /// An override changes the objects itself, or calls this for the rule. If it returns, the objects
  /// are saved with their values at that point, even over changes made elsewhere.
  ///
  /// - Throws: the error that the save should throw; `ConflictError` if the rule is `error`.
  open func resolve(mergeConflicts: [MergeConflict]) throws {
    for conflict in mergeConflicts { try resolution?(conflict) }
    guard mergeType != .error || resolution != nil else {
      throw ConflictError(objectIDs: mergeConflicts.map(\.sourceObject.objectID))
    }
    for conflict in mergeConflicts { try conflict.resolve(mergeType) }
  }

  /// Resolves conflicts between objects that share values that must be unique.
  ///
  ///     override func resolve(constraintConflicts: [ConstraintConflict]) throws {
  ///       for conflict in constraintConflicts { print(conflict.constraintValues, "came twice") }
  ///       try super.resolve(constraintConflicts: constraintConflicts)
  ///     }
  ///
  /// The rules merge the objects in conflict into one: see `ConstraintConflict`. No other
  /// connection can write to the stores until the save has ended.
  ///
  /// - Throws: the error that the save should throw; `PersistentStoreError.uniquenessViolation` if
  ///   the rule is `error`.
  open func resolve(constraintConflicts: [ConstraintConflict]) throws {
    for conflict in constraintConflicts { try conflict.resolve(mergeType) }
  }

  /// Whether conflicts need not be examined, since the save fails anyway.
  final var alwaysFails: Bool {
    mergeType == .error && resolution == nil && type(of: self) == MergePolicy.self
  }
}

@available(*, unavailable) extension MergePolicy: Sendable {}
