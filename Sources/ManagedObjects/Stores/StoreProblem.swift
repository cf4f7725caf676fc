/// A problem in a store, as found by `PersistentStoreCoordinator.problems(in:)`.
///
///     for problem in try coordinator.problems(in: store) { print(problem) }
///     // ZWALK: 2 rows whose ZDOG refers to no row of ZDOG (Z_PK 3, 7)
public struct StoreProblem: Sendable, Hashable, CustomStringConvertible {
  /// The category of a problem, by its consequences for reading and writing the store.
  public enum Kind: Sendable, Hashable {
    /// The file is inconsistent: what is read from it may be wrong or incomplete.
    case damagedFile
    /// A table or column is missing, or has the wrong type on a server: the store cannot be used.
    case missingTable
    /// An index or an auxiliary table is missing, or a column is not in the model: the objects can
    /// still be read.
    case schema
    /// The store's metadata, settings, entity numbers or highest keys are not as Core Data writes
    /// them.
    case bookkeeping
    /// Rows whose entity is not in the model, or is abstract: no fetch returns them.
    case unknownEntity
    /// Rows or links that refer to missing rows.
    case danglingReference
    /// Rows whose to-one refers to a row that does not refer back, though its inverse is a to-one.
    case oneSidedReference
    /// Members of an ordered to-many without an order key of their own.
    case orderKeys
    /// Duplicate values of a uniqueness constraint; on a server that lacks the unique index also
    /// duplicate primary keys or links.
    case repeatedValue
    /// Rows without a value that the model requires: they cannot be saved.
    case missingValue
    /// Values of another storage class than their attribute's, such as text instead of a number:
    /// they read as no value.
    case unreadableValue
    /// Values whose external files are missing.
    case missingExternalData
    /// Commands in the undo log that cannot be read, and therefore not be undone.
    case undoLog
  }

  /// The category of the problem.
  public let kind: Kind
  /// The entity whose rows are affected; nil if the problem does not concern rows.
  public let entityName: String?
  /// The affected property; nil if there is no single one.
  public let propertyName: String?
  /// The primary keys of the first affected rows, at most `maximumKeyCount`.
  public let primaryKeys: [Int64]
  /// Whether the store can still be opened and copied.
  public var isStoreUsable: Bool { kind != .damagedFile && kind != .missingTable }
  /// A sentence in the store's terms, for a log.
  public let description: String

  /// The maximum number of keys that a problem names.
  public static let maximumKeyCount = 20

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
