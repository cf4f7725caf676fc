/// Rows and links that were read from a remote store in batches, ahead of being reverted.
///
/// Each is used only once, since reverting changes it. For a local store nothing is read ahead.
struct RevertedAhead {
  private let store: any RevertingStore
  private let log: SQLUndoLog
  /// Rows, with the lock counts by which the log knows them.
  private var rows: [ManagedObjectID: (row: RowReference, known: Int64)] = [:]
  private var links: [LinkKey: StoredLink] = [:]
  /// The rows and links that were read ahead already.
  private var seenRows: Set<ManagedObjectID> = []
  private var seenLinks: Set<LinkKey> = []

  typealias StoredLink = (
    first: Int64, second: Int64, firstOrder: Int64?, secondOrder: Int64?
  )

  private struct LinkKey: Hashable {
    let join: Int
    let first: Int64
    /// nil for all links of the first object.
    var second: Int64?
  }

  /// The maximum number read in one batch.
  static let most = 500

  init(of store: any RevertingStore, _ log: SQLUndoLog) {
    self.store = store
    self.log = log
  }

  /// Discards everything, as it may have changed.
  mutating func forget() { (rows, links) = ([:], [:]) }

  // MARK: Rows

  /// A row with the lock count by which the log knows it, if it was read ahead.
  mutating func takeRow(_ key: Int64, of root: EntityBinding) -> (row: RowReference, known: Int64)?
  {
    rows.removeValue(forKey: ManagedObjectID(binding: root, key: key))
  }

  /// Reads rows with descending keys in one batch, unless they were read before.
  mutating func read(rowsFrom key: Int64, downTo first: Int64, of entity: EntityBinding) throws {
    try read(rowOf: key, entity) { Array(max(first, key - Int64(Self.most) + 1)...key) }
  }

  /// Reads a row together with others, unless it was read before.
  ///
  /// - Parameter others: returns the keys of rows of the same root entity that are reverted next.
  mutating func read(
    rowOf key: Int64, _ entity: EntityBinding, _ others: () throws -> [Int64]
  ) throws {
    let root = store.root(of: entity)
    guard store.database.prefersPipelining,
      !seenRows.contains(ManagedObjectID(binding: root, key: key))
    else { return }
    let keys = try Set(others() + [key]).sorted().filter {
      seenRows.insert(ManagedObjectID(binding: root, key: $0)).inserted
    }
    let known = try log.known(root, keys)
    let cursor = try store.rows(for: FetchPlan(rows: keys, of: root))
    while try cursor.next() {
      let row = RowReference(try cursor.makeRow(), of: store.binding(at: cursor.entity))
      let version = Int64(row.row.version)
      let noted = known[cursor.key].flatMap { $0.now == version ? $0.known : nil }
      rows[ManagedObjectID(binding: root, key: cursor.key)] = (row, noted ?? version)
    }
  }

  // MARK: Links

  /// A link of a join, if it was read ahead.
  mutating func takeLink(_ join: Int, _ first: Int64, _ second: Int64) -> StoredLink? {
    links.removeValue(forKey: LinkKey(join: join, first: first, second: second))
  }

  /// Reads the links of an object together with those of others, unless they were read before.
  ///
  /// - Parameter others: returns the first keys of links that are reverted next.
  mutating func read(linkOf first: Int64, _ join: Int, _ others: () throws -> [Int64]) throws {
    guard store.database.prefersPipelining,
      !seenLinks.contains(LinkKey(join: join, first: first))
    else { return }
    let keys = try Set(others() + [first]).sorted().filter {
      seenLinks.insert(LinkKey(join: join, first: $0)).inserted
    }
    for link in try store.storedLinks(join, firsts: keys) {
      links[LinkKey(join: join, first: link.first, second: link.second)] = link
    }
  }
}

@available(*, unavailable) extension RevertedAhead: Sendable {}
