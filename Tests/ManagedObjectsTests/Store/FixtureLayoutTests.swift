import Foundation
import ManagedObjects
import Testing

/// New stores of other applications' models.
@Suite(.enabled(if: !FixtureModel.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct FixtureLayoutTests {
  @Test(arguments: FixtureModel.all)
  func `tables, columns in order and join tables are as the independent reader has them`(
    fixture: FixtureModel
  ) throws {
    let folder = try StoreFolder()
    _ = try folder.open(fixture.model)
    let file = try SQLiteFile(folder.store)
    let names = try file.column(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table'
      AND name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') ORDER BY name
      """)
    let tables = try names.map { table in
      let columns = try file.rows("PRAGMA table_info(\"\(table)\")")
        .map { "\($0[1]) \($0[2])" + ($0[1] == "Z_PK" ? " PRIMARY KEY" : "") }
      return "\(table): \(columns.joined(separator: ", "))"
    }
    guard let contents = fixture.contents else { return }
    #expect(try tables == StoreChecker.wholeLayout(of: contents))
    #expect(
      try StoreChecker.check(folder.store, against: contents)
        == "0 differences, \(fixture.model.entities.count) entities\n")
  }

  @Test(arguments: Fixture.all)
  func `every table of a model is in the store that Apple's framework made`(
    fixture: Fixture
  ) throws {
    let ours = try StoreFolder()
    _ = try ours.open(fixture.model.model)
    let folder = try fixture.copy()
    let (made, found) = (try SQLiteFile(ours.store), try SQLiteFile(folder.store))
    for table in try made.column("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      let columns = "SELECT name, type FROM pragma_table_info('\(table)') ORDER BY name"
      let present = try found.rows(columns)
      // Stores from before iOS 9 have no cache of the model.
      if present.isEmpty && table == "Z_MODELCACHE" { continue }
      #expect(try made.rows(columns) == present, "\(table)")
    }
  }
}
