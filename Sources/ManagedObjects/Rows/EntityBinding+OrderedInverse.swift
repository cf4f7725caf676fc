extension EntityBinding.ToOne {
  /// An ordered to-many whose members have a to-one that leads back, and their order keys beside
  /// it.
  struct OrderedInverse: Hashable {
    /// The index of the entity that the to-one names.
    let owner: Int
    /// The to-many's number there, and in its subentities.
    let number: Int
  }

  /// The ordered list at the other end; the same for every entity that has or inherits the to-one,
  /// and nil where there is none.
  var orderedInverse: OrderedInverse? {
    guard orderKeySlot != nil, case .toMany(let number) = inverse else { return nil }
    return OrderedInverse(owner: destination, number: number)
  }
}
