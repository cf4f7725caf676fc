import ManagedObjects

extension NamedObject {
  /// Whether it has a name, without which it cannot be saved or found.
  var hasName: Bool { !name.isEmpty }
}

/// The dogs, walkers and tags of a synced store.
extension SyncedStore {
  /// Returns the walker with a key; nil if there is none.
  func walker(of key: SyncKey) -> Walker? { walkers[key] }

  /// Returns the tag with a key; nil if there is none.
  func tag(of key: SyncKey) -> Tag? { tags[key] }

  /// Returns the tag that a field denotes; nil if there is none.
  func tag(of field: SyncField) -> Tag? { tagsByElement[field.element] }

  private var tagsByElement: [UInt64: Tag] {
    if let readTagsByElement { return readTagsByElement }
    var tagsByElement: [UInt64: Tag] = [:]
    for (key, tag) in tags { tagsByElement[key.number] = tag }
    readTagsByElement = tagsByElement
    return tagsByElement
  }

  /// Returns the dog with a key, inserting a copy of the other store's dog if it does not exist.
  func dog(of key: SyncKey, like other: Dog?) throws -> Dog? {
    if let dog = dogs[key] { return dog }
    guard let other else { return nil }
    let dog = Dog(context: context)
    dog.uuid = key.uuid
    dog.name = other.name
    dog.nameKey = NameKey.of(other.name)
    dog.targetMinutes = other.targetMinutes
    dog.maximumGap = other.maximumGap
    dogs[key] = dog
    keys.dogs[dog.objectID] = key
    return dog
  }

  /// Returns the walker with a key, inserting a copy of the other store's walker if it does not
  /// exist.
  func named(_ key: SyncKey, like other: Walker?) throws -> Walker? {
    if let walker = walkers[key] { return walker }
    guard let other else { return nil }
    let walker = try Walker.findOrCreate(named: other.name, in: context)
    walkers[key] = walker
    keys.walkers[walker.objectID] = key
    return walker
  }

  /// Returns the tag with a key, inserting a copy of the other store's tag if it does not exist.
  func named(_ key: SyncKey, like other: Tag?) throws -> Tag? {
    if let tag = tags[key] { return tag }
    guard let other else { return nil }
    let tag = try Tag.findOrCreate(named: other.name, in: context)
    tags[key] = tag
    keys.tags[tag.objectID] = key
    readTagsByElement = nil
    return tag
  }

  /// Records the key of a dog; nil for no dog.
  func set(_ dog: Dog?, of key: SyncKey) {
    if let dog { keys.dogs[dog.objectID] = key }
    dogs[key] = dog
  }

  /// Deletes a walker or a tag unless a walk refers to it; returns whether it no longer exists.
  func deleteNamed(_ key: SyncKey) throws -> Bool {
    if let walker = walkers[key] {
      guard try count("walker == %@", walker) == 0 else { return false }
      context.delete(walker)
      walkers[key] = nil
    } else if let tag = tags[key] {
      guard try count("ANY tags == %@", tag) == 0 else { return false }
      context.delete(tag)
      tags[key] = nil
      readTagsByElement = nil
    }
    return true
  }

  private func count(_ format: String, _ object: ManagedObject) throws -> Int {
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: format, object)
    return try context.count(for: request)
  }
}
