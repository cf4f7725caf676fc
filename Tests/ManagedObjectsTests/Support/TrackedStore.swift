import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// A store that keeps a history, in a file or on a server; it is removed with its last reference.
///
///     let store = try TrackedStore(.sqlite)
///     try store.add("Fido")
///     try store.changes()  // [["1", "0", "Dog", "1", ""]]
final class TrackedStore: Sendable {
  /// The kinds of stores that can keep one.
  static let types = Stack.allTypes.filter { [.sqlite, .postgreSQL].contains($0) }

  let type: PersistentStore.StoreType
  /// Where it is.
  let url: URL
  private let folder: StoreFolder

  init(_ type: PersistentStore.StoreType) throws {
    self.type = type
    folder = try StoreFolder()
    url = try #require(type.place(folder.store))
  }

  /// Opens the store, or makes it.
  func open(
    _ model: ManagedObjectModel = .dogWalk, history: Bool = true,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    options.busyTimeout = 300
    options.tracksPersistentHistory = history
    change(&options)
    return try PersistentContainer(
      name: "Test", model: model, storeURL: url, type: type, options: options)
  }

  /// Makes a dog with walks of so many minutes, and closes the store again.
  func save(_ name: String, minutes: [Int] = [], history: Bool = true) throws {
    let context = try open(history: history).newBackgroundContext()
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
  }

  // MARK: Behind the library's back

  /// Each change: transaction, type, entity's name, key, columns.
  func changes(after number: Int = 0) throws -> [[String]] {
    try rows(
      """
      SELECT c.ZTRANSACTIONID, c.ZCHANGETYPE, p.Z_NAME, c.ZENTITYPK, \(hex("c.ZCOLUMNS"))
      FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY
      WHERE c.ZTRANSACTIONID > \(number) ORDER BY c.Z_PK
      """)
  }

  /// Each change in no order: type, entity's name, key.
  func kinds(after number: Int = 0) throws -> [String] {
    try changes(after: number).map { $0[1...3].joined(separator: " ") }.sorted()
  }

  /// The highest keys that the history has assigned.
  func counters() throws -> [String] {
    try column(
      "SELECT Z_NAME || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
  }

  /// The SQL function that shows bytes as hexadecimal digits.
  func hex(_ column: String) -> String {
    let digits = type == .sqlite ? "hex(\(column))" : "upper(encode(\(column), 'hex'))"
    return "coalesce(\(digits), '')"
  }

  /// The bytes of the file, and of those beside it; empty for a server.
  func bytes() throws -> [String: Data] { try folder.bytes() }

  func execute(_ sql: String) throws { _ = try rows(sql) }

  /// The first column of every row.
  func column(_ sql: String) throws -> [String] { try rows(sql).map { $0[0] } }

  /// The values of every row as text; NULL is "NULL".
  func rows(_ sql: String) throws -> [[String]] {
    #if PostgreSQL
      if type == .postgreSQL { return try server(sql) }
    #endif
    let file = try SQLiteFile(url)
    if sql.hasPrefix("SELECT") { return try file.rows(sql) }
    try file.execute(sql)
    return []
  }

  #if PostgreSQL
    private func server(_ sql: String) throws -> [[String]] {
      let address = try PostgreSQLAddress(url)
      let connection = try PostgreSQLConnection(address, waiting: 60)
      let found = try connection.runAll(
        "SET search_path TO \(address.schema.quotedAlways); \(sql)")
      return (0..<found.count).map { row in
        (0..<found.columnCount).map { found.text(row, $0) ?? "NULL" }
      }
    }
  #endif
}
