/// What of two versions is the same, by name or by renaming identifier.
///
/// As in an inferred mapping: something new is what was there before where its renaming identifier is
/// the other's name or renaming identifier, else where both have one name.
struct RenamingPairs<Description: Renamable> {
  /// What both versions have, in the new one's order.
  private(set) var kept: [(Description, Description)] = []
  /// What is new.
  private(set) var added: [Description] = []
  /// What is gone.
  private(set) var removed: [Description] = []

  init(_ old: [Description], _ new: [Description]) {
    var sources: [String: Description] = [:]
    for one in old { sources[one.name] = one }
    let sourcesByIdentifier = Dictionary(
      old.compactMap { one in one.renamingIdentifier.map { ($0, one.name) } },
      uniquingKeysWith: { first, _ in first })
    var matches: [String: Description] = [:]
    // What was renamed first: its old name may be that of something else by now.
    for one in new {
      guard let identifier = one.renamingIdentifier else { continue }
      let names = [
        sources[one.name]?.renamingIdentifier == identifier ? one.name : nil, identifier,
        sourcesByIdentifier[identifier],
      ]
      guard let name = names.lazy.compactMap(\.self).first(where: { sources[$0] != nil }) else {
        continue
      }
      matches[one.name] = sources.removeValue(forKey: name)
    }
    for one in new where matches[one.name] == nil {
      matches[one.name] = sources.removeValue(forKey: one.name)
    }
    for one in new {
      if let match = matches[one.name] { kept.append((match, one)) } else { added.append(one) }
    }
    removed = old.filter { sources[$0.name] != nil }
  }
}

/// Something that a version may know by another name than the version before.
protocol Renamable {
  var name: String { get }
  var renamingIdentifier: String? { get }
}

extension EntityDescription: Renamable {}

extension PropertyDescription: Renamable {
  /// The name under which the previous model version knew the property, or nil for the same.
  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetchedProperty(let property): property.renamingIdentifier
    }
  }
}
