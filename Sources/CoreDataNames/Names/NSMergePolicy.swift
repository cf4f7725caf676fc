/// A policy by which a save resolves conflicts, with the methods of Core Data's class.
///
///     class KennelPolicy: NSMergePolicy {
///       init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
///
///       override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
///         try super.resolve(optimisticLockingConflicts: list)
///         for case let dog as Dog in list.map(\.sourceObject) { dog.isFed = false }
///       }
///     }
open class NSMergePolicy: MergePolicy {
  /// Creates a policy of a type.
  ///
  ///     context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  public init(merge type: NSMergePolicyType) { super.init(type) }

  /// Resolves conflicts with rows that were changed or deleted elsewhere since they were read.
  ///
  /// - Throws: the error that the save should throw.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    try super.resolve(mergeConflicts: list)
  }

  /// Calls `resolve(optimisticLockingConflicts:)`, which custom policies override.
  ///
  /// - Throws: the error that the save should throw.
  public final override func resolve(mergeConflicts: [MergeConflict]) throws {
    try resolve(optimisticLockingConflicts: mergeConflicts)
  }
}
