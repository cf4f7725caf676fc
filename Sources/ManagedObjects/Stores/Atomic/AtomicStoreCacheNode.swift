/// An object in the cache of an ``AtomicStore``.
///
///     let node = AtomicStoreCacheNode(objectID: id, propertyCache: ["name": .string("Fido")])
///     notesStore.addCacheNodes([node])
///
/// When a store has loaded, the library takes the values over, checks them and keeps them packed;
/// from then on `value(forKey:)` looks there, and always gives what is to be saved. So a node costs
/// little, and its ``propertyCache`` is empty unless a subclass of the store fills it. Follows Core
/// Data's `NSAtomicStoreCacheNode`.
open class AtomicStoreCacheNode {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// Values by the names of their properties; nil where the library has them.
  public var propertyCache: [String: PropertyValue]? {
    get { packedRow.flatMap { rows?.values(of: $0, objectID.binding) } ?? cache }
    set {
      takePackedRow()?.free(slotCount: objectID.binding.slotCount)
      cache = newValue
    }
  }
  private var cache: [String: PropertyValue]?
  /// The values of a node that was added while its store loads: a tenth of what a dictionary takes.
  private var packedRow: PackedRow?
  weak var rows: CacheNodeRows?

  /// Makes a node with an object's values, if they are known yet.
  public init(objectID: ManagedObjectID, propertyCache: [String: PropertyValue]? = nil) {
    self.objectID = objectID
    cache = propertyCache
  }

  deinit { takePackedRow()?.free(slotCount: objectID.binding.slotCount) }

  /// Keeps values in a row, which is freed here.
  func pack(_ row: PackedRow) {
    propertyCache = nil
    packedRow = row
  }

  /// Hands over the row that the values are in, if they are, and who gets it frees it.
  func takePackedRow() -> PackedRow? {
    defer { packedRow = nil }
    return packedRow
  }

  /// What a property holds; nil where it holds nothing.
  ///
  /// To-manys are there as well, in their order where they have one.
  public func value(forKey key: String) -> PropertyValue? {
    propertyCache.map { $0[key] } ?? rows?.value(of: objectID, named: key)
  }

  /// Sets what a property holds in the node's own ``propertyCache``.
  public func setValue(_ value: PropertyValue?, forKey key: String) {
    propertyCache = propertyCache ?? values
    propertyCache?[key] = value
  }

  /// All that the object's properties hold, by name.
  public var values: [String: PropertyValue] {
    propertyCache ?? rows?.values(of: objectID) ?? [:]
  }
}

@available(*, unavailable) extension AtomicStoreCacheNode: Sendable {}
