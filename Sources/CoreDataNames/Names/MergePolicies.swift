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
