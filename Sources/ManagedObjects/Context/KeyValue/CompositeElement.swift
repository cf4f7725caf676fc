/// One of the attributes that a composite consists of, including nested ones.
struct CompositeElement {
  /// The key path: `address.street`.
  let path: String
  /// The path below the composite: `street`.
  let name: Substring
}
