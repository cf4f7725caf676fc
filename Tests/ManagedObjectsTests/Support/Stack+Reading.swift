import CSQLite
import Foundation
import ManagedObjects
import Testing

extension Stack {
  /// A stack with the hand-made model of a kennel.
  static func kennel(_ type: PersistentStore.StoreType) throws -> Stack {
    try Stack(type, model: Kennel.model)
  }

  /// What another context on the same store reads: every object of a class.
  func reread<Object: ManagedObject>(_ type: Object.Type = Object.self) throws -> [Object] {
    let context = anotherContext()
    // The objects need their context; it lives as long as the stack.
    rereading.append(context)
    return try context.fetch(Object.fetchRequest())
  }

  /// The first column of the first row, as SQLite returns it to any other program.
  func sqlite(_ sql: String) throws -> String? {
    var connection: OpaquePointer?
    try #require(sqlite3_open_v2(url.path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(connection) }
    var statement: OpaquePointer?
    try #require(
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
      "\(String(cString: sqlite3_errmsg(connection)))")
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  /// The store's metadata.
  func metadata() throws -> [String: PropertyList] {
    try container.persistentStoreCoordinator.metadata(for: container.persistentStore)
  }

  /// Sets one key of the store's metadata.
  func set(_ text: String?, _ key: String) throws {
    try container.persistentStoreCoordinator.setMetadata(
      text.map { .string($0) }, forKey: key, of: container.persistentStore)
  }
}
