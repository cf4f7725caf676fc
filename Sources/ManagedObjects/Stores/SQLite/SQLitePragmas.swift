import SystemLibraries

/// The validated pragmas of a store: none of them breaks its guarantees.
struct SQLitePragmas {
  /// The journal mode; nil for WAL.
  private(set) var journalMode: String?
  /// The page size in bytes of a new file.
  private(set) var pageSize: Int?
  /// The pragmas for every connection.
  private(set) var forAll: [String] = []
  /// The additional pragmas for the writing connection.
  private(set) var forWriting: [String] = []

  /// Whether the store is in WAL mode.
  var usesLog: Bool { journalMode ?? "WAL" == "WAL" }

  /// - Throws: `PersistentStoreError.refusedPragma`.
  init(_ pragmas: [String: String], of url: URL) throws(PersistentStoreError) {
    for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
      if let reason = take(name.lowercased(), value.uppercased()) {
        throw .refusedPragma(url, name: name, value: value, reason: reason)
      }
    }
    guard let synchronous, synchronous == "NORMAL" || synchronous == "1", !usesLog else { return }
    throw .refusedPragma(
      url, name: "synchronous", value: synchronous,
      reason: "without a write-ahead log a power failure could damage the store")
  }

  private var synchronous: String?

  /// Validates and adds a pragma; returns the reason if it is refused.
  private mutating func take(_ name: String, _ value: String) -> String? {
    switch name {
    case "journal_mode": return take(journalMode: value)
    case "synchronous":
      if ["OFF", "0"].contains(value) { return "a power failure could damage the store" }
      guard ["NORMAL", "1", "FULL", "2", "EXTRA", "3"].contains(value) else {
        return "it is FULL, EXTRA or NORMAL"
      }
      synchronous = value
    case "page_size":
      guard let size = Int(value), (512...65_536).contains(size), size & (size - 1) == 0 else {
        return "it is a power of two from 512 to 65536"
      }
      pageSize = size
      return nil
    case "fullfsync", "checkpoint_fullfsync":
      guard ["1", "ON", "TRUE", "YES"].contains(value) else {
        return "what is saved would not be on the disk yet"
      }
    case "cache_size", "mmap_size", "cache_spill", "threads", "journal_size_limit":
      guard Int(value) != nil else { return "it is a number" }
    case "secure_delete":
      guard ["0", "1", "ON", "OFF", "FAST"].contains(value) else { return "it is ON, OFF or FAST" }
    case "wal_autocheckpoint": return "a store empties its log by itself"
    case "locking_mode": return "contexts could not read at the same time"
    case "auto_vacuum": return "a store keeps what Core Data made it with"
    default: return "stores do not support this pragma"
    }
    let statement = "PRAGMA \(name) = \(value)"
    if ["synchronous", "fullfsync", "checkpoint_fullfsync", "journal_size_limit"].contains(name) {
      forWriting.append(statement)
    } else {
      forAll.append(statement)
    }
    return nil
  }

  private mutating func take(journalMode mode: String) -> String? {
    switch mode {
    case "WAL", "DELETE", "TRUNCATE":
      journalMode = mode
      return nil
    case "MEMORY", "OFF":
      return "a program that is killed while it saves would damage the store"
    case "PERSIST": return "a journal would stay beside the store"
    default: return "it is WAL, DELETE or TRUNCATE"
    }
  }
}

extension Connection {
  /// Runs the pragmas that apply to every connection of a store.
  func apply(_ pragmas: SQLitePragmas) throws(SQLiteError) {
    for statement in pragmas.forAll { try execute(statement) }
  }
}
