import CSQLite
import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// The SQL that predicates become: which indexes it uses, and that values are bound.
@Suite struct PredicateSQLTests {
  /// The statements of a fetch, and how SQLite goes about the one that reads.
  private func plan(
    _ format: String, _ arguments: (any FetchPredicateArgument)?..., in stack: Stack
  ) throws -> (sql: String, steps: [String]) {
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    var statements: [String] = []
    store.connection.onStatement { statements.append($0) }
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
    _ = try stack.context.fetch(request)
    store.connection.onStatement { _ in }
    let sql = try #require(statements.first)
    #expect(statements.count == 1)
    let explained = try store.connection.statement("EXPLAIN QUERY PLAN \(sql)")
    defer { explained.reset() }
    var steps: [String] = []
    while try explained.step() { steps.append(explained.string(at: 3) ?? "") }
    return (sql, steps)
  }

  @Test func `indexes are used where there are any`() throws {
    let stack = try Stack()
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let date = Date(timeIntervalSinceReferenceDate: 0)
    for (format, arguments, index) in [
      ("date > %@", [date], "Z_Walk_byDate"), ("%@ < date", [date], "Z_Walk_byDate"),
      ("dog == %@ AND date > %@", [fido, date], "Z_Walk_byDogAndDate"),
      ("dog == %@ AND date BETWEEN {%@, %@}", [fido, date, date], "Z_Walk_byDogAndDate"),
      ("dog.nameKey == %@", ["fido"], "nameKey"),
      ("SELF == %@", [fido.walks[0]], "INTEGER PRIMARY KEY"),
    ] as [(String, [any FetchPredicateArgument], String)] {
      var request = Walk.fetchRequest()
      request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
      // A range alone is no reason to leave the order of the rows.
      if format.hasSuffix("date") || format.hasPrefix("date") {
        request.sortDescriptors = [.init(key: "date", ascending: false)]
      }
      let steps = try self.steps(request, in: stack)
      #expect(
        steps.contains { $0.uppercased().contains(index.uppercased()) }, "\(format): \(steps)")
    }
  }

  private func steps(_ request: FetchRequest<Walk>, in stack: Stack) throws -> [String] {
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    var statements: [String] = []
    store.connection.onStatement { statements.append($0) }
    _ = try stack.context.fetch(request)
    store.connection.onStatement { _ in }
    let explained = try store.connection.statement("EXPLAIN QUERY PLAN \(statements[0])")
    defer { explained.reset() }
    var steps: [String] = []
    while try explained.step() { steps.append(explained.string(at: 3) ?? "") }
    return steps
  }

  @Test func `members are found by their foreign key`() throws {
    let stack = try Stack()
    try stack.dog("Fido", minutes: [10, 20])
    for format in [
      "ANY dog.walks.duration > 5", "dog.walks.@count > 1", "dog.walks.@max.duration > 5",
      "SUBQUERY(dog.walks, $w, $w.duration > 5).@count > 1", "ALL dog.walks.date > now()",
    ] {
      let (_, steps) = try plan(format, in: stack)
      #expect(
        steps.contains { $0.contains("SEARCH") && $0.contains("ZDOG=?") }, "\(format): \(steps)")
      #expect(!steps.contains { $0.contains("SCAN") && !$0.contains("t0") }, "\(format): \(steps)")
    }
  }

  @Test func `what a text begins with is a range`() throws {
    let stack = try Stack()
    let (sql, _) = try plan(
      "note BEGINSWITH 'x'; --'".replacing("x'; --", with: "x; --"), in: stack)
    #expect(sql.contains("t0.ZNOTE >= ? AND t0.ZNOTE < ?"))
    #expect(!sql.contains("--"))
  }

  @Test func `values are bound, and one shape is one statement`() throws {
    let stack = try Stack()
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    func ask(_ note: String, _ minutes: [Double]) throws {
      var request = Walk.fetchRequest()
      request.predicate = try FetchPredicate(
        format: "note CONTAINS[c] %@ AND duration IN %@ AND ANY dog.walks.walker == %@", note,
        minutes, note)
      _ = try stack.context.fetch(request)
    }
    try ask("first ' \"", (0..<200).map { Double($0) })
    let before = store.connection.preparedStatements.sorted()
    try ask("second", (0..<5_000).map { Double($0) })
    #expect(store.connection.preparedStatements.sorted() == before)
    #expect(!before.contains { $0.contains("first") })
  }

  @Test func `functions are defined only when a predicate needs them`() throws {
    let stack = try Stack()
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    _ = try plan("dog.name == 'Fido' AND duration > 5 AND note == NULL", in: stack)
    #expect(store.connection.functions.isEmpty)
    _ = try plan("dog.name ==[c] 'Fido'", in: stack)
    #expect(!store.connection.functions.isEmpty)
  }

  @Test func `a value in a file is compared by its bytes`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo",
        properties: [
          .attribute(
            .init(
              name: "image", type: .binaryData, isOptional: true,
              allowsExternalBinaryDataStorage: true))
        ])
    ])
    let stack = try Stack(model: model)
    let large = Data(repeating: 7, count: 200_000)
    for image in [large, Data([1]), nil] {
      let photo = ManagedObject(entity: model.entities[0], insertInto: stack.context)
      photo.setOptionalValue(image, at: PropertySlot(-1, "image"))
    }
    try stack.context.save()
    func count(_ format: String, _ arguments: (any FetchPredicateArgument)?...) throws -> Int {
      var request = FetchRequest<ManagedObject>(entityName: "Photo")
      request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
      return try stack.context.count(for: request)
    }
    #expect(try count("image == %@", large) == 1)
    #expect(try count("image == %@", Data([1])) == 1)
    #expect(try count("image == NULL") == 1)
    #expect(try count("length(image) > 1000") == 1)
  }
}
