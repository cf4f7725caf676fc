public import ManagedObjects

/// Core Data's constant: a save with conflicts throws.
public var NSErrorMergePolicy: NSMergePolicy { NSMergePolicy(merge: .error) }
/// Core Data's constant: for properties changed on both sides, the stored value is kept.
public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .mergeByPropertyStoreTrump)
}
/// Core Data's constant: for properties changed on both sides, the context's value is kept.
public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .mergeByPropertyObjectTrump)
}
/// Core Data's constant: the context's objects are kept.
public var NSOverwriteMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .overwrite)
}
/// Core Data's constant: the stored objects are kept.
public var NSRollbackMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .rollback)
}

/// How conflicts are resolved.
public typealias NSMergePolicyType = MergePolicy.MergePolicyType

extension MergePolicy.MergePolicyType {
  /// A save with conflicts throws.
  public static var errorMergePolicyType: Self { .error }
  /// For properties changed on both sides, the stored value is kept.
  public static var mergeByPropertyStoreTrumpMergePolicyType: Self { .mergeByPropertyStoreTrump }
  /// For properties changed on both sides, the context's value is kept.
  public static var mergeByPropertyObjectTrumpMergePolicyType: Self { .mergeByPropertyObjectTrump }
  /// The context's objects are kept.
  public static var overwriteMergePolicyType: Self { .overwrite }
  /// The stored objects are kept.
  public static var rollbackMergePolicyType: Self { .rollback }
}

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
