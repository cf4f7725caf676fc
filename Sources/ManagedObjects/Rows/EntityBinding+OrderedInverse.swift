extension EntityBinding.ToOne {
  /// An ordered to-many whose members refer back by a to-one, with the order key stored next to it.
  struct OrderedInverse: Hashable {
    /// The index of the to-one's destination entity.
    let owner: Int
    /// The number of the to-many in that entity and its subentities.
    let number: Int
  }

  /// The ordered to-many that is this to-one's inverse, the same for every entity that has or
  /// inherits the to-one; nil if there is none.
  var orderedInverse: OrderedInverse? {
    guard orderKeySlot != nil, case .toMany(let number) = inverse else { return nil }
    return OrderedInverse(owner: destination, number: number)
  }
}
