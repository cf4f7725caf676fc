public import ManagedObjects

/// Core Data's constant: a save that meets another's throws.
public var NSErrorMergePolicy: MergePolicy { .error }
/// Core Data's constant: of a property that both changed, what is stored stays.
public var NSMergeByPropertyStoreTrumpMergePolicy: MergePolicy { .mergeByPropertyStoreTrump }
/// Core Data's constant: of a property that both changed, what the context set stays.
public var NSMergeByPropertyObjectTrumpMergePolicy: MergePolicy { .mergeByPropertyObjectTrump }
/// Core Data's constant: the context's objects stay.
public var NSOverwriteMergePolicy: MergePolicy { .overwrite }
/// Core Data's constant: what is stored stays.
public var NSRollbackMergePolicy: MergePolicy { .rollback }

/// How conflicts are resolved, by Core Data's names.
public enum NSMergePolicyType: Int, Sendable {
  /// A save that meets another's throws.
  case errorMergePolicyType
  /// Of a property that both changed, what is stored stays.
  case mergeByPropertyStoreTrumpMergePolicyType
  /// Of a property that both changed, what the context set stays.
  case mergeByPropertyObjectTrumpMergePolicyType
  /// The context's objects stay.
  case overwriteMergePolicyType
  /// What is stored stays.
  case rollbackMergePolicyType
}

extension MergePolicy {
  /// Creates a policy of a kind.
  ///
  ///     context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  public convenience init(merge type: NSMergePolicyType) {
    switch type {
    case .errorMergePolicyType: self.init(.error)
    case .mergeByPropertyStoreTrumpMergePolicyType: self.init(.mergeByPropertyStoreTrump)
    case .mergeByPropertyObjectTrumpMergePolicyType: self.init(.mergeByPropertyObjectTrump)
    case .overwriteMergePolicyType: self.init(.overwrite)
    case .rollbackMergePolicyType: self.init(.rollback)
    }
  }
}
