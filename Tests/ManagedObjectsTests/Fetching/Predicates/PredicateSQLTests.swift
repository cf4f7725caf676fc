import CSQLite
import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// The SQL made from predicates: which indexes it uses, and that values are bound.
@Suite struct PredicateSQLTests {
  /// The statement of a fetch, and SQLite's plan of it.
  private func plan(
    _ format: String, _ arguments: (any FetchPredicateArgument)?..., in stack: Stack
  ) throws -> (sql: String, steps: [String]) {
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
    let plans = try stack.plans { _ = try stack.context.fetch(request) }
    #expect(plans.count == 1)
    return try #require(plans.first)
  }

  @Test func `indexes are used where available`() throws {
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
      let steps = try stack.plans { _ = try stack.context.fetch(request) }[0].steps
      #expect(
        steps.contains { $0.uppercased().contains(index.uppercased()) }, "\(format): \(steps)")
    }
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

  @Test func `BEGINSWITH is a range`() throws {
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
        format: "note CONTAINS[c] %@ AND duration IN %@ AND ANY dog.walks.note == %@", note,
        minutes, note)
      _ = try stack.context.fetch(request)
    }
    try ask("first ' \"", (0..<200).map { Double($0) })
    let before = store.connection.preparedStatements.sorted()
    try ask("second", (0..<5_000).map { Double($0) })
    #expect(store.connection.preparedStatements.sorted() == before)
    #expect(!before.contains { $0.contains("first") })
  }

  @Test func `texts of a list are folded once, and looked up together`() throws {
    let stack = try Stack()
    let names = (0..<5_000).map { "Name \($0)" }
    let (sql, _) = try plan("note IN[cd] %@", names, in: stack)
    #expect(sql.contains("Z_FOLD(t0.ZNOTE, 3) IN (SELECT value FROM Z_VALUES(?))"), "\(sql)")
  }

  @Test func `functions are defined only when a predicate needs them`() throws {
    let stack = try Stack()
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    _ = try plan("dog.name == 'Fido' AND duration > 5 AND note == NULL", in: stack)
    #expect(store.connection.functions.isEmpty)
    _ = try plan("dog.name ==[c] 'Fido'", in: stack)
    #expect(!store.connection.functions.isEmpty)
  }

  @Test func `a value in an external file is compared by its bytes`() throws {
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
