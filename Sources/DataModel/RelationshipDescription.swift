/// A relationship of an entity: for each of its objects, objects of another entity.
///
///     RelationshipDescription(
///       name: "walks", destinationEntityName: "Walk", inverseName: "dog",
///       maxCount: 0, isOrdered: true, deleteRule: .cascade)
///
/// Follows Core Data's `NSRelationshipDescription`.
public struct RelationshipDescription: Sendable, Hashable {
  /// The effect of deleting an object on the objects at its destination.
  public enum DeleteRule: Int, Sendable, Hashable {
    /// None; the destination keeps a reference to a missing object.
    case noAction = 0
    /// References to the deleted object are cleared.
    case nullify = 1
    /// They are deleted too.
    case cascade = 2
    /// The save fails as long as the relationship is not empty.
    case deny = 3
  }

  /// The relationship's name, unique in its entity.
  public var name: String
  /// The name of the destination entity.
  public var destinationEntityName: String
  /// The name of the inverse relationship, or nil if there is none.
  public var inverseName: String?
  /// Whether an object may be saved without a related object.
  public var isOptional: Bool
  /// Whether the relationship exists in memory only and is never stored.
  public var isTransient: Bool
  /// The minimum number of related objects; 0 for no minimum.
  public var minCount: Int
  /// The maximum number of related objects; 1 makes a to-one, 0 means no maximum.
  ///
  ///     RelationshipDescription(name: "walks", destinationEntityName: "Walk", maxCount: 0)
  public var maxCount: Int
  /// Whether the related objects have an order that is stored.
  public var isOrdered: Bool
  /// The effect of deleting an object on the related objects.
  public var deleteRule: DeleteRule
  /// A string that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The relationship's name in the previous model version, or nil for the same.
  public var renamingIdentifier: String?
  /// The user info of the relationship.
  public var userInfo: [String: String]

  /// Whether there may be any number of related objects.
  ///
  ///     RelationshipDescription(name: "dog", destinationEntityName: "Dog").isToMany   // false
  public var isToMany: Bool { maxCount != 1 }

  /// Creates a relationship; a to-one unless `maxCount` is set.
  public init(
    name: String,
    destinationEntityName: String,
    inverseName: String? = nil,
    isOptional: Bool = false,
    isTransient: Bool = false,
    minCount: Int = 0,
    maxCount: Int = 1,
    isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify,
    versionHashModifier: String? = nil,
    renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minCount = minCount
    self.maxCount = maxCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.versionHashModifier = versionHashModifier
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
