/// An object in the cache of an ``AtomicStore``.
///
///     let node = AtomicStoreCacheNode(objectID: id, propertyCache: ["name": .string("Fido")])
///     notesStore.addCacheNodes([node])
///
/// After loading, the library takes over the values, checks them and keeps them packed; from then
/// on `value(forKey:)` returns them, always as they will be saved. So a node takes little memory,
/// and its ``propertyCache`` is nil unless a subclass of the store fills it. Follows Core Data's
/// `NSAtomicStoreCacheNode`.
open class AtomicStoreCacheNode {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// Values by property name; nil once the library has taken them over.
  public var propertyCache: [String: PropertyValue]? {
    get { packedRow.flatMap { rows?.values(of: $0, objectID.binding) } ?? cache }
    set {
      takePackedRow()?.free(slotCount: objectID.binding.slotCount)
      cache = newValue
    }
  }
  private var cache: [String: PropertyValue]?
  /// The values of a node that was added during loading, in a tenth of the memory of a dictionary.
  private var packedRow: PackedRow?
  weak var rows: CacheNodeRows?

  /// Creates a node with an object's values, if they are known yet.
  public init(objectID: ManagedObjectID, propertyCache: [String: PropertyValue]? = nil) {
    self.objectID = objectID
    cache = propertyCache
  }

  deinit { takePackedRow()?.free(slotCount: objectID.binding.slotCount) }

  /// Stores the values as a packed row, which this node then owns.
  func pack(_ row: PackedRow) {
    propertyCache = nil
    packedRow = row
  }

  /// Hands the packed row, if there is one, over to the caller, who must free it.
  func takePackedRow() -> PackedRow? {
    defer { packedRow = nil }
    return packedRow
  }

  /// The value of a property; nil if it has none.
  ///
  /// Includes to-many relationships, in order if they are ordered.
  public func value(forKey key: String) -> PropertyValue? {
    propertyCache.map { $0[key] } ?? rows?.value(of: objectID, named: key)
  }

  /// Sets the value of a property in the node's own ``propertyCache``.
  public func setValue(_ value: PropertyValue?, forKey key: String) {
    propertyCache = propertyCache ?? values
    propertyCache?[key] = value
  }

  /// The values of all properties by name.
  public var values: [String: PropertyValue] {
    propertyCache ?? rows?.values(of: objectID) ?? [:]
  }
}

@available(*, unavailable) extension AtomicStoreCacheNode: Sendable {}
