/// Something that is wrong with a store, as `PersistentStoreCoordinator.faults(in:)` finds it.
///
///     for fault in try coordinator.faults(in: store) { print(fault) }
///     // ZWALK.ZDOG: 2 rows lead to no row of ZDOG (Z_PK 3, 7)
public struct StoreFault: Sendable, Hashable, CustomStringConvertible {
  /// What a fault means for those who read and write the store.
  public enum Kind: Sendable, Hashable {
    /// The file contradicts itself: what is read from it may be wrong, or missing.
    case damagedFile
    /// A table or a column is missing, or on a server of another type: the store cannot be used.
    case missingTable
    /// An index is missing, or a table that holds no objects, or a column is not the model's: what
    /// is there can be read all the same.
    case schema
    /// The store's metadata, its settings, its entities' numbers or the highest keys are not as
    /// Core Data writes them.
    case bookkeeping
    /// Rows of an entity that the model does not have, or that has no objects: nobody sees them.
    case unknownEntity
    /// Rows or links that lead to rows which are not there.
    case danglingReference
    /// Members of an ordered to-many without a position of their own.
    case orderKeys
    /// Rows with a primary key or a unique value that others have, or links that stand twice, on a
    /// server without the index that keeps them from it.
    case repeatedValue
    /// Values whose files are not beside the store.
    case missingExternalData
  }

  /// What the fault means.
  public let kind: Kind
  /// The entity whose rows have it; nil where it is not about rows.
  public let entityName: String?
  /// The property that is concerned; nil where it is none alone.
  public let propertyName: String?
  /// The primary keys of the first rows that have it, at most `mostKeys`.
  public let primaryKeys: [Int64]
  /// Whether the store can still be opened and copied.
  public var leavesStoreUsable: Bool { kind != .damagedFile && kind != .missingTable }
  /// One sentence in the store's words, for a log.
  public let description: String

  /// The most keys that a fault names.
  public static let mostKeys = 20

  init(
    _ kind: Kind, _ description: String, entityName: String? = nil, propertyName: String? = nil,
    primaryKeys: [Int64] = []
  ) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
    self.primaryKeys = primaryKeys
    self.description = description
  }
}
