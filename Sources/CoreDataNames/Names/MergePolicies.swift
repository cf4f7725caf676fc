public import ManagedObjects

/// Core Data's constant: a save that meets another's throws.
public var NSErrorMergePolicy: NSMergePolicy { NSMergePolicy(merge: .error) }
/// Core Data's constant: of a property that both changed, what is stored stays.
public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .mergeByPropertyStoreTrump)
}
/// Core Data's constant: of a property that both changed, what the context set stays.
public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .mergeByPropertyObjectTrump)
}
/// Core Data's constant: the context's objects stay.
public var NSOverwriteMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .overwrite)
}
/// Core Data's constant: what is stored stays.
public var NSRollbackMergePolicy: NSMergePolicy {
  NSMergePolicy(merge: .rollback)
}

/// How conflicts are resolved.
public typealias NSMergePolicyType = MergePolicy.MergePolicyType

extension MergePolicy.MergePolicyType {
  /// A save that meets another's throws.
  public static var errorMergePolicyType: Self { .error }
  /// Of a property that both changed, what is stored stays.
  public static var mergeByPropertyStoreTrumpMergePolicyType: Self { .mergeByPropertyStoreTrump }
  /// Of a property that both changed, what the context set stays.
  public static var mergeByPropertyObjectTrumpMergePolicyType: Self { .mergeByPropertyObjectTrump }
  /// The context's objects stay.
  public static var overwriteMergePolicyType: Self { .overwrite }
  /// What is stored stays.
  public static var rollbackMergePolicyType: Self { .rollback }
}

/// What a save does where its changes meet another's, with the methods that Core Data's has.
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
  /// Creates a policy of a kind.
  ///
  ///     context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  public init(merge type: NSMergePolicyType) { super.init(type) }

  /// Resolves conflicts with rows that others changed or deleted since they were read.
  ///
  /// - Throws: what the save is to fail with.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    try super.resolve(mergeConflicts: list)
  }

  /// As `resolve(optimisticLockingConflicts:)`, which a policy of one's own overrides.
  ///
  /// - Throws: what the save is to fail with.
  public final override func resolve(mergeConflicts: [MergeConflict]) throws {
    try resolve(optimisticLockingConflicts: mergeConflicts)
  }
}
