/// The flags of a property in an archive: as separate keys, and as the bits of one number.
struct ArchivedPropertyFlags: Sendable {
  var isOptional: Bool
  var isTransient: Bool
  var isReadOnly = false
  var isOrdered = false
  var hasValidationPredicates = false
  var hasUserInfo: Bool
  var hasVersionHashModifier: Bool

  /// The flags that every type of property has.
  init(
    isOptional: Bool, isTransient: Bool, userInfo: [String: String], versionHashModifier: String?
  ) {
    self.isOptional = isOptional
    self.isTransient = isTransient
    hasUserInfo = !userInfo.isEmpty
    hasVersionHashModifier = versionHashModifier != nil
  }

  /// The entries of an archive for the flags; keys only for those that are set.
  var entries: [String: PropertyList] {
    // The bits 16 to 128 indicate what a property does not have: conditions, their warnings, a user
    // info, a modifier.
    let bits =
      1 | (isOptional ? 2 : 0) | (isReadOnly ? 4 : 0) | (isTransient ? 8 : 0)
      | (hasValidationPredicates ? 0 : 16 | 32) | (hasUserInfo ? 0 : 64)
      | (hasVersionHashModifier ? 0 : 128) | (isOrdered ? 0x400 : 0)
    var entries: [String: PropertyList] = ["_P": .integer(Int64(bits))]
    if isOptional { entries["NSIsOptional"] = .boolean(true) }
    if isTransient { entries["NSIsTransient"] = .boolean(true) }
    if isReadOnly { entries["NSIsReadOnly"] = .boolean(true) }
    if isOrdered { entries["NSIsOrdered"] = .boolean(true) }
    return entries
  }
}
