/// The members of a to-many, or of several in succession.
struct BoundCollection {
  /// One to-many in the path.
  struct Level {
    /// The scope that it starts from.
    let owner: Int
    /// The to-ones to follow first.
    let hops: [EntityBinding.ToOne]
    let toMany: EntityBinding.ToMany
    /// The index of the entity that has the to-many.
    let entity: Int
    /// The scope of its members.
    let member: Int
    /// Conditions on the members.
    var filters: [BoundPredicate] = []
  }

  var levels: [Level]
}
