import DataModel

/// What two versions have of a kind: what both have, and what came and went.
struct RenamingPairs<Description: Renamable> {
  /// What both versions have, in the new one's order.
  private(set) var kept: [(Description, Description)] = []
  /// What is new.
  private(set) var added: [Description] = []
  /// What is gone.
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
