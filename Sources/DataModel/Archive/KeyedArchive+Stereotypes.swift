package import DataFormats

/// Reading Xcode's own archives of models: `elements` files from before Xcode 4, and mapping
/// models.
///
/// Xcode stores its settings of an entity or a property in stereotypes, each value under a key such
/// as `XD_PPSK_isOptional`.
extension KeyedArchive.Object {
  /// The values in the object's stereotypes, by key.
  package var stereotypeValues: [String: PropertyList] {
    var values: [String: PropertyList] = [:]
    for (_, value) in dictionary("XDBucketForStereotypesstorage") {
      for (key, value) in object(of: value)?.dictionary("XDBucketForOwnedAttributesstorage") ?? [] {
        values[key] = object(of: value)?["_default"]
      }
    }
    return values
  }

  /// A value as a string; nil if it is empty or not a string.
  package func text(in value: PropertyList?) -> String? {
    value.flatMap { text(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a value is true.
  package func flag(in value: PropertyList?) -> Bool {
    switch value {
    case .boolean(let flag): flag
    case .integer(let integer): integer != 0
    default: false
    }
  }

  /// A value as lists of names.
  package func lists(in value: PropertyList?) -> [[String]] {
    let lists = value.flatMap(object(of:))?.directMembers ?? []
    return lists.map { object(of: $0)?.directMembers.compactMap(text(of:)) ?? [] }
  }
}
