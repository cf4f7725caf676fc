import ManagedObjects

/// The walkers and tags that walks are given, each looked up once.
struct WalkNames {
  private let context: ManagedObjectContext
  private var walkers: [String: Walker] = [:]
  private var tags: [String: Tag] = [:]

  init(in context: ManagedObjectContext) { self.context = context }

  /// Whether tags were given.
  var hasGivenTags: Bool { !tags.isEmpty }

  /// The walker of a name, found or made; nil for none.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  mutating func walker(named name: String?) throws -> Walker? {
    guard let name else { return nil }
    if let walker = walkers[name] { return walker }
    let walker = try Walker.findOrCreate(named: name, in: context)
    walkers[name] = walker
    return walker
  }

  /// The tags of some names, found or made.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
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
