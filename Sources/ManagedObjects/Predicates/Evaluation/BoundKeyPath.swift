/// To-ones to follow, and the slot at the end.
struct BoundKeyPath {
  let hops: [EntityBinding.ToOne]
  let slot: Int
  /// The type of the attribute at the end; nil for a to-one or an order key.
  let type: AttributeDescription.AttributeType?
}
