package import DataFormats

/// Xcode's own archives of models: files `elements` from before Xcode 4, and mapping models to this
/// day.
///
/// What Xcode notes of an entity or a property stands in its stereotypes, each value under a key
/// such as `XD_PPSK_isOptional`.
extension KeyedArchive.Object {
  /// What the object's stereotypes say, by key.
  package var stereotypeValues: [String: PropertyList] {
    var values: [String: PropertyList] = [:]
    for (_, value) in dictionary("XDBucketForStereotypesstorage") {
      for (key, value) in object(of: value)?.dictionary("XDBucketForOwnedAttributesstorage") ?? [] {
        values[key] = object(of: value)?["_default"]
      }
    }
    return values
  }

  /// A text, where there is one that says something.
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

  /// The lists of names that a value is.
  package func lists(in value: PropertyList?) -> [[String]] {
    let lists = value.flatMap(object(of:))?.directMembers ?? []
    return lists.map { object(of: $0)?.directMembers.compactMap(text(of:)) ?? [] }
  }
}
