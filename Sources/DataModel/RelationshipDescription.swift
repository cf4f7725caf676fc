/// A relationship of an entity: the objects of another entity that belong to each of its own.
///
///     RelationshipDescription(
///       name: "walks", destinationEntityName: "Walk", inverseName: "dog",
///       maxCount: 0, isOrdered: true, deleteRule: .cascade)
///
/// Follows Core Data's `NSRelationshipDescription`.
public struct RelationshipDescription: Sendable, Hashable {
  /// What happens to the objects at the other end when one is deleted.
  public enum DeleteRule: Int, Sendable, Hashable {
    /// Nothing; the other end is left pointing at nothing.
    case noAction = 0
    /// They forget the deleted object.
    case nullify = 1
    /// They are deleted too.
    case cascade = 2
    /// As long as there are any, the delete is refused at the save.
    case deny = 3
  }

  /// The relationship's name, unique in its entity.
  public var name: String
  /// The name of the entity at the other end.
  public var destinationEntityName: String
  /// The name of the relationship that leads back, or nil where there is none.
  public var inverseName: String?
  /// Whether an object may be saved with nobody at the other end.
  public var isOptional: Bool
  /// Whether the relationship lives in memory only and is never stored.
  public var isTransient: Bool
  /// The fewest objects at the other end; 0 for no bound.
  public var minCount: Int
  /// The most objects at the other end; 1 makes a to-one, 0 means no bound.
  ///
  ///     RelationshipDescription(name: "walks", destinationEntityName: "Walk", maxCount: 0)
  public var maxCount: Int
  /// Whether the objects at the other end have an order that is kept.
  public var isOrdered: Bool
  /// What happens to the objects at the other end when one is deleted.
  public var deleteRule: DeleteRule
  /// A text that changes the version hash although nothing else did, or nil.
  public var versionHashModifier: String?
  /// The name under which the previous model version knew the relationship, or nil for the same.
  public var renamingIdentifier: String?
  /// Whatever the developer noted about the relationship.
  public var userInfo: [String: String]

  /// Whether any number of objects may stand at the other end.
  ///
  ///     RelationshipDescription(name: "dog", destinationEntityName: "Dog").isToMany   // false
  public var isToMany: Bool { maxCount != 1 }

  /// Creates a relationship; a to-one unless `maxCount` says otherwise.
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
