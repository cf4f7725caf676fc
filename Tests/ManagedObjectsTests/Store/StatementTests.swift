import CSQLite
import Testing

@testable import ManagedObjects

/// Statements on loan.
@Suite struct StatementTests {
  private let connection: Connection

  init() throws { connection = try Connection(path: ":memory:", access: .readWrite, waiting: 0) }

  @Test func `a statement is its holder's alone from the moment it is lent`() throws {
    let one = try connection.statement("SELECT ?")
    one.bind(Int64(1), at: 1)
    let two = try connection.statement("SELECT ?")
    two.bind(Int64(2), at: 1)
    #expect(try one.step() && one.integer(at: 0) == 1)
    one.reset()
    // Reset or run, it is still the holder's.
    let three = try connection.statement("SELECT ?")
    three.bind(Int64(3), at: 1)
    #expect(try one.step() && one.integer(at: 0) == 1)
    #expect(try two.step() && two.integer(at: 0) == 2)
    #expect(try three.step() && three.integer(at: 0) == 3)
  }

  @Test func `returned statements are lent again, in any number`() throws {
    for _ in 0..<3 {
      let lent = try (0..<5).map { _ in try connection.statement("SELECT ?") }
      for statement in lent { #expect(try statement.step()) }
    }
    #expect(connection.prepareCount == 5)
  }

  @Test func `a returned statement ends the reading, and a lent one keeps its connection open`()
    throws
  {
    do { _ = try connection.statement("SELECT 1 UNION SELECT 2").step() }
    try connection.execute("CREATE TABLE t (a)")
    var other: Connection? = try Connection(path: ":memory:", access: .readWrite, waiting: 0)
    let statement = try #require(try other?.statement("SELECT 7"))
    other = nil
    #expect(try statement.step() && statement.integer(at: 0) == 7)
  }

  @Test func `lent statements survive when old ones are evicted`() throws {
    let kept = try connection.statement("SELECT 42")
    #expect(try kept.step())
    for number in 0..<2 * Connection.maximumStatementCount {
      _ = try connection.statement("SELECT \(number)").step()
    }
    #expect(kept.integer(at: 0) == 42)
    #expect(connection.preparedStatements.count <= Connection.maximumStatementCount + 1)
  }

  @Test func `a value that is too long is refused, and not stored as NULL`() throws {
    try connection.statement("CREATE TABLE T (A)").run()
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1_000)
    let long = String(repeating: "a", count: 2_000)
    let insert = try connection.statement("INSERT INTO T VALUES (?)")
    for bind in [
      { insert.bind(long, at: 1) }, { insert.bind(Array(long.utf8), at: 1) },
      { insert.bind(text: Array(long.utf8), at: 1) },
    ] {
      bind()
      let error = #expect(throws: SQLiteError.self) { try insert.run() }
      #expect(error?.code == SQLITE_TOOBIG && error?.sql == "INSERT INTO T VALUES (?)")
      insert.reset()
    }
    // Statements after it are not refused.
    insert.bind(long, at: 1)
    insert.reset()
    insert.bind("short", at: 1)
    try insert.run()
    let rows = try connection.statement("SELECT group_concat(ifnull(A, 'NULL')) FROM T")
    #expect(try rows.step() && rows.string(at: 0) == "short")
  }
}
