import DataModel
import SystemLibraries

/// The metadata of a store; in a SQLite file, the contents of Z_METADATA.
struct StoredMetadata {
  let uuid: String
  var plist: [String: PropertyList]

  /// All metadata including the UUID, as a program sees them.
  var all: [String: PropertyList] {
    plist.merging([Self.uuidKey: .string(uuid)]) { _, uuid in uuid }
  }

  static let uuidKey = "NSStoreUUID"
  static let hashesKey = "NSStoreModelVersionHashes"
  static let digestKey = "NSStoreModelVersionHashesDigest"
  static let vacuumKey = "_NSAutoVacuumLevel"
  /// The columns that a deferred migration left in their tables, by table; see
  /// ``PersistentStoreOptions/defersMigration``.
  static let deferredKey = "MODeferredColumns"
  /// A UUID for each `replacePersistentStore` into an existing file: it distinguishes a store from
  /// its own backup, which has the same `uuidKey`.
  static let replacementKey = "MOReplacement"

  /// Whether a key describes the file rather than its contents.
  static func describesFile(_ key: String) -> Bool {
    [uuidKey, vacuumKey, deferredKey, replacementKey].contains(key)
  }

  /// Replaces the application's keys; those that describe the store are kept.
  ///
  /// So no program can remove a store's version hashes, or keys of Core Data that this library does
  /// not know.
  static func replaceOwnKeys(
    of plist: inout [String: PropertyList], with metadata: [String: PropertyList]
  ) {
    plist = plist.filter { isCoreDatas($0.key) }
    for (key, value) in metadata where !isCoreDatas(key) { plist[key] = value }
  }

  /// Whether a key describes the store itself.
  static func isCoreDatas(_ key: String) -> Bool {
    [deferredKey, replacementKey].contains(key)
      || ["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
  }
}
