import ManagedObjects
import SystemLibraries

/// The keys of dogs and walks without a UUID, which an app has inserted.
///
///     let keys = NumberedKeys(beside: other, isCopy: true)
///     let key = try keys.key(of: walk, NumberedKeys.contents(of: walk)) { _ in true }
///
/// Such a key is made of the object's number, so it is the same in every copy of a store. But apps
/// may have inserted different objects with one number in two copies: these are distinguished by
/// their contents, a dog's name and a walk's start.
final class NumberedKeys {
  private let other: WalkLog?
  private let isCopy: Bool

  /// Creates the keys of a store's objects.
  ///
  /// - Parameters:
  ///   - other: the store that it is synced with.
  ///   - isCopy: whether the two are copies of one store.
  init(beside other: WalkLog?, isCopy: Bool) {
    self.other = other
    self.isCopy = isCopy
  }

  /// What tells a dog apart from another one with its number.
  static func contents(of dog: Dog) -> String { dog.nameKey }

  /// What tells a walk apart from another one with its number.
  static func contents(of walk: Walk) -> String {
    "\(walk.start?.timeIntervalSinceReferenceDate ?? 0)"
  }

  /// Returns the key of an object without a UUID.
  ///
  /// - Parameters:
  ///   - contents: what tells it apart, as `contents(of:)` returns it.
  ///   - isUnknown: whether a key has no record here, and the log does not mention its object. A
  ///     known object may have got its contents since the store was copied.
  func key(
    of object: ManagedObject, _ contents: String, isUnknown: (SyncKey) -> Bool
  ) throws -> SyncKey {
    let key = SyncKey(UUID(of: object))
    guard isUnknown(key), try !numbersInCopysLog().contains(Number(object.objectID)),
      let others = try contentsInOther()[key], others != contents
    else { return key }
    return key.apart(by: Array(contents.utf8))
  }

  /// An object's number, the same in every copy of its store.
  private struct Number: Hashable {
    let entityName: String
    let primaryKey: Int64?

    init(_ id: ManagedObjectID) {
      entityName = id.entity.name
      primaryKey = id.primaryKey
    }
  }

  /// The objects in the log of the other store, if that is a copy; read when first needed.
  private func numbersInCopysLog() throws -> Set<Number> {
    if let readNumbers { return readNumbers }
    let log = try isCopy ? other.flatMap { try SyncOrigins(of: $0) } : nil
    let numbers = Set(log?.logged.changes.map { Number($0.object) } ?? [])
    readNumbers = numbers
    return numbers
  }
  private var readNumbers: Set<Number>?

  /// The contents of the other store's dogs and walks, by their keys; read when first needed.
  ///
  /// Objects without a UUID are among them only if it is a copy.
  private func contentsInOther() throws -> [SyncKey: String] {
    if let readContents { return readContents }
    var contents: [SyncKey: String] = [:]
    for dog in try other.map({ try Dog.all(in: $0.context) }) ?? [] where isNamed(dog.identifier) {
      contents[SyncKey(dog.sharedIdentifier)] = Self.contents(of: dog)
    }
    try other?.forEachStoredWalk { walk in
      guard isNamed(walk.identifier) else { return }
      contents[SyncKey(walk.sharedIdentifier)] = Self.contents(of: walk)
    }
    readContents = contents
    return contents
  }
  private var readContents: [SyncKey: String]?

  /// Whether the key of an object in the other store has a meaning here.
  private func isNamed(_ identifier: UUID?) -> Bool { identifier != nil || isCopy }
}

@available(*, unavailable) extension NumberedKeys: Sendable {}
