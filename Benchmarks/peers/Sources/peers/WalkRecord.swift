import Foundation
import GRDB

/// A row of the table of walks, as GRDB's documentation recommends for fast records.
struct WalkRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZWALK"

  var key: Int64?
  var lockCount: Int64
  var dog: Int64?
  var date: Double
  var minutes: Int64
  var note: String?

  init(number: Int) {
    lockCount = 1
    dog = Int64(number % Kennel.dogCount + 1)
    date = Double(number) * 60
    minutes = Int64(number % 90)
    note = Kennel.note
  }

  init(row: Row) {
    key = row["Z_PK"]
    lockCount = row["Z_OPT"]
    dog = row["ZDOG"]
    date = row["ZDATE"]
    minutes = row["ZMINUTES"]
    note = row["ZNOTE"]
  }

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = 2
    container["Z_OPT"] = lockCount
    container["ZDOG"] = dog
    container["ZDATE"] = date
    container["ZMINUTES"] = minutes
    container["ZNOTE"] = note
  }
}
