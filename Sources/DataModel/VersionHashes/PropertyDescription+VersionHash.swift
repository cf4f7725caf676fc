extension PropertyDescription {
  /// Computes the SHA-256 of everything in the property that affects how it is stored.
  ///
  /// A fetched property is not stored, so its hash is never used.
  package func versionHash(in entity: EntityDescription) -> [UInt8] {
    switch self {
    case .attribute(let attribute): attribute.versionHash
    case .relationship(let relationship): relationship.versionHash(in: entity)
    case .fetchedProperty: []
    }
  }
}

extension AttributeDescription {
  fileprivate var versionHash: [UInt8] {
    if let derivationExpression {
      return SHA256.hash(data: DerivationExpression(derivationExpression).canonicalText.utf8)
    }
    var hash = SHA256()
    hash.update(
      data: baseHash(
        name: name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier)
    )
    hash.update(data: littleEndianBytes(type.rawValue))
    if allowsExternalBinaryDataStorage { hash.update(data: CollectionOfOne(1)) }
    if preservesValueInHistoryOnDeletion { hash.update(data: CollectionOfOne(1)) }
    // Core Data's hash of composites is not known; the elements are what is stored.
    for element in elements.sorted(by: { isSortedLiterally($0.name, $1.name) }) {
      hash.update(data: element.versionHash)
    }
    return hash.finalize()
  }
}

extension RelationshipDescription {
  fileprivate func versionHash(in entity: EntityDescription) -> [UInt8] {
    var hash = SHA256()
    hash.update(
      data: baseHash(
        name: name, isOptional: isOptional, isTransient: isTransient, modifier: versionHashModifier)
    )
    hash.update(data: destinationEntityName.utf8)
    // A relationship that is its own inverse is hashed like one without an inverse.
    let isItsOwnInverse = inverseName == name && destinationEntityName == entity.name
    if let inverseName, !isItsOwnInverse { hash.update(data: inverseName.utf8) }
    hash.update(data: littleEndianBytes(Int32(truncatingIfNeeded: maxCount)))
    hash.update(data: littleEndianBytes(Int32(truncatingIfNeeded: minCount)))
    if isOrdered { hash.update(data: littleEndianBytes(1 as UInt16)) }
    return hash.finalize()
  }
}

/// Computes the hash of the parts that attributes and relationships have in common.
///
/// The flags' third bit, read-only, is for derived attributes, which are hashed in another way.
private func baseHash(
  name: String, isOptional: Bool, isTransient: Bool, modifier: String?
) -> [UInt8] {
  var hash = SHA256()
  hash.update(data: name.utf8)
  let flags: UInt16 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0)
  hash.update(data: littleEndianBytes(flags))
  if let modifier { hash.update(data: modifier.utf8) }
  return hash.finalize()
}

private func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
