import DataModel
import SystemLibraries

/// What a store knows of itself: in SQLite's file that is Z_METADATA.
struct StoredMetadata {
  let uuid: String
  var plist: [String: PropertyList]

  /// Everything, the UUID among it, as a program sees it.
  var all: [String: PropertyList] {
    plist.merging([Self.uuidKey: .string(uuid)]) { _, uuid in uuid }
  }

  static let uuidKey = "NSStoreUUID"
  static let vacuumKey = "_NSAutoVacuumLevel"
  /// The columns that a migration left in their tables, by table; see
  /// ``PersistentStoreOptions/defersMigration``.
  static let deferredKey = "MODeferredColumns"

  /// Whether a key tells of the file, and not of what is in it.
  static func describesFile(_ key: String) -> Bool {
    key == uuidKey || key == vacuumKey || key == deferredKey
  }

  /// Takes over an application's keys; those that describe the store stay as they are.
  ///
  /// So no program can take a store's version hashes away, or those keys of Core Data that this
  /// library does not know.
  static func replaceOwnKeys(
    of plist: inout [String: PropertyList], with metadata: [String: PropertyList]
  ) {
    plist = plist.filter { isCoreDatas($0.key) }
    for (key, value) in metadata where !isCoreDatas(key) { plist[key] = value }
  }

  /// Whether a key describes the store itself.
  static func isCoreDatas(_ key: String) -> Bool {
    key == deferredKey || ["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
  }
}
