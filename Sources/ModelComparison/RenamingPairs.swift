import DataModel

/// The matching items of two versions, and those that were added or removed.
struct RenamingPairs<Description: Renamable> {
  /// The items in both versions, in the order of the new one.
  private(set) var kept: [(Description, Description)] = []
  /// The items in the new version only.
  private(set) var added: [Description] = []
  /// The items in the old version only.
  private(set) var removed: [Description] = []

  init(_ old: [Description], _ new: [Description]) {
    let names = Renaming(from: old, to: new).sources
    var sources = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for one in new {
      if let source = names[one.name].flatMap({ sources.removeValue(forKey: $0) }) {
        kept.append((source, one))
      } else {
        added.append(one)
      }
    }
    removed = old.filter { sources[$0.name] != nil }
  }
}
