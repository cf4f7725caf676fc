import ManagedObjects

/// The walkers and tags assigned to walks, each looked up once.
struct WalkNames {
  private let context: ManagedObjectContext
  private var walkers: [String: Walker] = [:]
  private var tags: [String: Tag] = [:]

  init(in context: ManagedObjectContext) { self.context = context }

  /// Whether any tag was looked up.
  var hasGivenTags: Bool { !tags.isEmpty }

  /// Returns the walker with a name, inserting it if needed; nil for no name.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  mutating func walker(named name: String?) throws -> Walker? {
    guard let name else { return nil }
    if let walker = walkers[name] { return walker }
    let walker = try Walker.findOrCreate(named: name, in: context)
    walkers[name] = walker
    return walker
  }

  /// Returns the tags with some names, inserting missing ones.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  mutating func tags(named names: [String]) throws -> Set<Tag> {
    var found: Set<Tag> = []
    for name in names {
      let tag = try tags[name] ?? Tag.findOrCreate(named: name, in: context)
      tags[name] = tag
      found.insert(tag)
    }
    return found
  }
}

@available(*, unavailable) extension WalkNames: Sendable {}
