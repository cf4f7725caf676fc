public import DataModel
public import SystemLibraries

/// The identity of a managed object: its store, its entity and its primary key.
///
///     let id = walk.objectID
///     id.uriRepresentation()   // x-coredata://8C6E…/Walk/p3
///
/// A value that may be passed between threads, unlike its object; the IDs of one object are equal
/// in all contexts. Temporary until the object is first saved. Follows Core Data's
/// `NSManagedObjectID`.
public struct ManagedObjectID: Sendable, Hashable, CustomStringConvertible {
  let binding: EntityBinding
  let key: Int64

  /// The entity of the object.
  ///
  ///     walk.objectID.entity.name   // "Walk"
  public var entity: EntityDescription { binding.description }

  /// Whether the object has not been saved yet; saving replaces its ID by a permanent one.
  ///
  ///     let id = Walk(context: context).objectID   // id.isTemporaryID
  public var isTemporaryID: Bool { key < 0 }

  /// The primary key of the object's row (Z_PK), or nil while the ID is temporary.
  ///
  ///     print("Added walk \(walk.objectID.primaryKey!).")   // once it is saved
  ///
  /// A key is never reused, so a program may show it as the object's number. In a custom store it
  /// is the object's reference if that is a number, and nil otherwise.
  public var primaryKey: Int64? {
    if isTemporaryID { return nil }
    guard let references = binding.store.references else { return key }
    return references[key]?.reference.number
  }

  /// The ID in Core Data's format: `x-coredata://<store>/<Entity>/p<key>`; in a custom store the
  /// key is replaced by the escaped ``ReferenceObject``.
  ///
  ///     let uri = walk.objectID.uriRepresentation()   // to keep somewhere
  ///     let id = coordinator.managedObjectID(forURIRepresentation: uri)
  public func uriRepresentation() -> URL {
    // This is always a valid URL: its parts are letters, digits and hyphens, or are escaped,
    // including other characters of an entity's name.
    URL(string: description)!
  }

  /// The text of `uriRepresentation()`.
  public var description: String {
    if isTemporaryID { return "x-coredata:///\(binding.name)/t\(key.magnitude)" }
    return
      "x-coredata://\(binding.store.identifier)/\(binding.name)/p\(binding.store.text(of: key))"
  }

  /// IDs are equal if they name the same row of the same store.
  public static func == (one: ManagedObjectID, other: ManagedObjectID) -> Bool {
    one.key == other.key && one.binding.root == other.binding.root
      && one.binding.store.identifier == other.binding.store.identifier
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(binding.root)
  }
}

extension EntityBinding {
  /// The entity's name as it is escaped in the URIs of IDs.
  var nameInURIs: Substring? {
    ManagedObjectID(binding: self, key: -1).uriRepresentation().absoluteString
      .split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).first
  }
}
