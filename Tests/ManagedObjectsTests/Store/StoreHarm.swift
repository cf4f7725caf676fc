import ManagedObjects
import Testing

/// A change of a store behind the library's back, by the SQL of its engine, and the fault expected.
struct StoreHarm: CustomTestStringConvertible {
  let sql: String
  let kind: StoreProblem.Kind
  var keys: [Int64] = []

  var testDescription: String { sql }

  /// Whether it is among the faults found.
  func isFound(in faults: [StoreProblem]) -> Bool {
    faults.contains { $0.kind == kind && $0.primaryKeys == keys }
  }

  /// Faults in rows of two dogs, one with walks 1 to 3 and one with walk 4, on either engine.
  static let ofRows = [
    StoreHarm(sql: "DELETE FROM ZDOG WHERE Z_PK = 2", kind: .danglingReference, keys: [4]),
    StoreHarm(
      sql: "UPDATE ZWALK SET ZDOG = 77 WHERE Z_PK IN (1, 3)", kind: .danglingReference,
      keys: [1, 3]),
    StoreHarm(
      sql: """
        UPDATE ZWALK SET Z_FOK_DOG = (SELECT Z_FOK_DOG FROM ZWALK WHERE Z_PK = 1) WHERE Z_PK = 2
        """, kind: .orderKeys, keys: [1, 2]),
    StoreHarm(
      sql: "UPDATE ZWALK SET Z_FOK_DOG = NULL WHERE Z_PK = 3", kind: .orderKeys, keys: [3]),
    StoreHarm(sql: "UPDATE ZWALK SET Z_ENT = 9 WHERE Z_PK = 4", kind: .unknownEntity, keys: [4]),
    StoreHarm(
      sql: "UPDATE ZWALK SET Z_ENT = NULL WHERE Z_PK = 4", kind: .unknownEntity, keys: [4]),
    StoreHarm(sql: "UPDATE ZWALK SET Z_OPT = 0 WHERE Z_PK = 2", kind: .bookkeeping, keys: [2]),
    StoreHarm(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Walk'", kind: .bookkeeping),
    StoreHarm(
      sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Walk'", kind: .bookkeeping),
    StoreHarm(
      sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Wolk' WHERE Z_NAME = 'Walk'", kind: .bookkeeping),
    StoreHarm(sql: "ALTER TABLE ZWALK DROP COLUMN ZNOTE", kind: .missingTable),
    StoreHarm(sql: "DROP TABLE ZDOG", kind: .missingTable),
    StoreHarm(sql: "DROP TABLE Z_PRIMARYKEY", kind: .missingTable),
  ]
}
