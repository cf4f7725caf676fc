#if PostgreSQL
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Rows as they arrive from a server: copied where a statement has no values, else one by one.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerRowsTests {
    private let connection: PostgreSQLConnection

    init() throws {
      let place = TestServer.store(for: UUID().uuidString)
      let url = try #require(place.flatMap { URL(string: $0) })
      connection = try PostgreSQLConnection(PostgreSQLAddress(url), waiting: 60)
    }

    /// Rows of a number, and of a text that is missing in every third and empty in every fourth.
    private func rows(_ count: Int64, _ isCopied: Bool) throws -> PostgreSQLRows {
      let text = "CASE WHEN g % 3 = 0 THEN NULL WHEN g % 4 = 0 THEN '' ELSE 'row ' || g END"
      let select = "SELECT g::int8, \(text) FROM generate_series(1,"
      return isCopied
        ? try connection.rows("\(select) \(count)) AS g", [])
        : try connection.rows("\(select) ?) AS g", [.integer(count)])
    }

    private func expect(_ numbers: ClosedRange<Int64>, of rows: PostgreSQLRows) throws {
      for number in numbers {
        #expect(try rows.next())
        #expect(rows.integer(0) == number)
        let bytes = rows.values[1]
        let text = bytes.baseAddress.map { _ in String(decoding: bytes, as: UTF8.self) }
        #expect(text == (number % 3 == 0 ? nil : number % 4 == 0 ? "" : "row \(number)"))
      }
    }

    @Test(arguments: [true, false]) func `all arrive, with their types`(isCopied: Bool) throws {
      let rows = try rows(2_000, isCopied)
      #expect(rows.types == [PostgreSQLValue.Kind.integer.rawValue, 25])
      try expect(1...2_000, of: rows)
      #expect(try !rows.next())
      #expect(try !rows.next())
    }

    @Test(arguments: [true, false]) func `may be empty`(isCopied: Bool) throws {
      #expect(try !rows(0, isCopied).next())
      #expect(try connection.read("SELECT 5::int8", []).integer(0, 0) == 5)
    }

    @Test(arguments: [true, false])
    func `wait in memory while another statement runs`(isCopied: Bool) throws {
      let rows = try rows(5_000, isCopied)
      try expect(1...1_234, of: rows)
      #expect(try connection.read("SELECT 5::int8", []).integer(0, 0) == 5)
      try expect(1_235...3_000, of: rows)
      let others = try self.rows(10, !isCopied)
      try expect(1...10, of: others)
      try expect(3_001...5_000, of: rows)
      #expect(try !rows.next())
    }

    @Test(arguments: [true, false])
    func `that are no longer wanted are skipped`(isCopied: Bool) throws {
      try expect(1...7, of: rows(5_000, isCopied))
      #expect(try connection.read("SELECT 5::int8", []).integer(0, 0) == 5)
      _ = try rows(5_000, isCopied)
      try expect(1...7, of: rows(7, isCopied))
    }

    @Test(arguments: [true, false])
    func `that came before an error are returned, even where others wait`(isCopied: Bool) throws {
      for waits in [true, false] {
        let select = "SELECT 1 / (3000 - g)::int8 FROM generate_series(1,"
        let rows =
          isCopied
          ? try connection.rows("\(select) 5000) AS g", [])
          : try connection.rows("\(select) ?) AS g", [.integer(5_000)])
        for _ in 1...10 { #expect(try rows.next()) }
        if waits { #expect(try connection.read("SELECT 5::int8", []).integer(0, 0) == 5) }
        for _ in 11..<3_000 { #expect(try rows.next()) }
        let error = #expect(throws: PostgreSQLError.self) { try rows.next() }
        #expect(error?.state == "22012")
        #expect(try connection.read("SELECT 5::int8", []).integer(0, 0) == 5)
      }
    }

    @Test(arguments: [true, false])
    func `of an invalid statement are an error at once`(isCopied: Bool) throws {
      let error = #expect(throws: PostgreSQLError.self) {
        try connection.rows("SELECT * FROM nowhere", isCopied ? [] : [.integer(1)])
      }
      #expect(error?.state == "42P01")
      try expect(1...10, of: rows(10, isCopied))
    }

    @Test(arguments: [true, false])
    func `are requested over a new connection where the old one was cut`(isCopied: Bool) throws {
      let process = try connection.runAll("SELECT pg_backend_pid()").text(0, 0)
      let other = try PostgreSQLConnection(connection.address, waiting: 60)
      _ = try other.runAll("SELECT pg_terminate_backend(\(process ?? ""))")
      let left = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process ?? "")"
      while try other.runAll(left).text(0, 0) != "0" { usleep(1_000) }
      try expect(1...10, of: rows(10, isCopied))
    }

    @Test func `that are malformed are refused`() throws {
      let values = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(capacity: 2)
      values.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
      defer { values.deallocate() }
      func row(_ bytes: [UInt8], isFirst: Bool = false) throws -> PostgreSQLCopiedRow? {
        let buffer = try #require(malloc(bytes.count + 1)).assumingMemoryBound(to: CChar.self)
        memcpy(buffer, bytes, bytes.count)
        return PostgreSQLCopiedRow(buffer, count: bytes.count, isFirst: isFirst)
      }
      // An end, nothing, and half a header.
      #expect(try row([0xFF, 0xFF]) == nil)
      #expect(try row([0]) == nil)
      #expect(try row([0x50, 0x47], isFirst: true) == nil)
      let whole: [UInt8] = [0, 2, 0, 0, 0, 1, 7, 0xFF, 0xFF, 0xFF, 0xFF]
      let good = try #require(try row(whole))
      try good.split(into: values)
      withExtendedLifetime(good) {
        #expect(values[0].elementsEqual([7]) && values[1].baseAddress == nil)
      }
      for count in 2..<whole.count {
        let part = try #require(try row(Array(whole.prefix(count))))
        #expect(throws: PostgreSQLError.self, "\(count)") { try part.split(into: values) }
      }
      #expect(throws: PostgreSQLError.self) {
        try row([0, 1, 0, 0, 0, 1, 7])?.split(into: values)
      }
      #expect(throws: PostgreSQLError.self) {
        try row([0, 2, 0x7F, 0xFF, 0xFF, 0xFF, 7])?.split(into: values)
      }
      let header =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0] + [0, 0, 0, 2, 9, 9]
      let first = try #require(try row(header + whole, isFirst: true))
      try first.split(into: values)
      withExtendedLifetime(first) { #expect(values[0].elementsEqual([7])) }
    }
  }
#endif
