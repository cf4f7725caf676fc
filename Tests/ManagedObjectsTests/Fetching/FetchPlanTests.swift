import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// SQLite's plans of typical fetches, compared with those of equivalent SQL written by hand.
@Suite struct FetchPlanTests {
  private static let day = Date(timeIntervalSinceReferenceDate: 86_400)
  private static let range = "WHERE t0.ZDATE >= ? AND t0.ZDATE < ?"
  private static let walks = "SELECT t0.* FROM ZWALK AS t0"
  private static let walkKeys = "SELECT t0.Z_PK FROM ZWALK AS t0"
  private static let dogs = "SELECT t0.* FROM ZDOG AS t0"
  private static let join = "JOIN ZDOG AS t1 ON t1.Z_PK = t0.ZDOG"

  /// A request for walks, or for dogs, and the SQL that a person would write.
  struct Question: Sendable, CustomTestStringConvertible {
    var format: String?
    var arguments: [AttributeValue] = []
    var sort: FetchSortDescriptor?
    var limit = 0
    var offset = 0
    var isForDogs = false
    var isForIDs = false
    let sql: String

    var testDescription: String { "\(format ?? "all") \(limit)" }

    func steps(in stack: Stack) throws -> [[String]] {
      func ask<Result: ManagedObject>(_ entity: Result.Type) throws {
        var request = FetchRequest<Result>()
        request.predicate = try format.map {
          try FetchPredicate(format: $0, argumentArray: arguments)
        }
        request.sortDescriptors = sort.map { [$0] } ?? []
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        let context = stack.anotherContext()
        _ = isForIDs ? try context.fetchIDs(request).count : try context.fetch(request).count
      }
      return try stack.plans { isForDogs ? try ask(Dog.self) : try ask(Walk.self) }.map(\.steps)
    }
  }

  @Test(arguments: [
    Question(format: "date > %@", arguments: [.date(day)], sql: "\(walks) WHERE t0.ZDATE > ?"),
    Question(format: "%@ > date", arguments: [.date(day)], sql: "\(walks) WHERE t0.ZDATE < ?"),
    Question(
      format: "date >= %@ AND date < %@", arguments: [.date(day), .date(day)],
      sql: "\(walks) \(range)"),
    Question(
      format: "date >= %@ AND date < %@", arguments: [.date(day), .date(day)], isForIDs: true,
      sql: "\(walkKeys) \(range)"),
    Question(
      format: "date > %@", arguments: [.date(day)], isForIDs: true,
      sql: "\(walkKeys) WHERE t0.ZDATE > ?"),
    Question(
      format: "date BETWEEN {%@, %@}", arguments: [.date(day), .date(day)],
      sql: "\(walks) WHERE t0.ZDATE BETWEEN ? AND ?"),
    Question(format: "date == %@", arguments: [.date(day)], sql: "\(walks) WHERE t0.ZDATE = ?"),
    Question(
      format: "date IN {%@, %@}", arguments: [.date(day), .date(.distantPast)],
      sql: "\(walks) WHERE t0.ZDATE IN (?, ?)"),
    Question(
      format: "date > %@ AND note CONTAINS 'rain'", arguments: [.date(day)],
      sql: "\(walks) WHERE t0.ZDATE > ? AND instr(t0.ZNOTE, ?)"),
    Question(
      format: "date > %@ OR dog.nameKey == 'fido'", arguments: [.date(day)],
      sql: "\(walks) LEFT \(join) WHERE t0.ZDATE > ? OR t1.ZNAMEKEY = ?"),
    Question(
      format: "dog.nameKey == 'fido' AND date > %@", arguments: [.date(day)],
      sql: "\(walks) \(join) WHERE t1.ZNAMEKEY = ? AND t0.ZDATE > ?"),
    Question(format: "dog.nameKey == 'fido'", sql: "\(walks) \(join) WHERE t1.ZNAMEKEY = ?"),
    Question(
      format: "date > %@", arguments: [.date(day)], sort: .init(key: "date", ascending: false),
      limit: 20, sql: "\(walks) WHERE t0.ZDATE > ? ORDER BY t0.ZDATE DESC, t0.Z_PK LIMIT ?"),
    Question(
      format: "date > %@", arguments: [.date(day)], limit: 1,
      sql: "\(walks) WHERE t0.ZDATE > ? LIMIT ?"),
    Question(
      format: "duration > 5 AND date > %@", arguments: [.date(day)], limit: 20, offset: 40,
      sql: "\(walks) WHERE t0.ZDATE > ? AND t0.ZDURATION > ? LIMIT ? OFFSET ?"),
    Question(format: "duration > 1800", sql: "\(walks) WHERE t0.ZDURATION > ?"),
    Question(format: "duration > 1800", limit: 3, sql: "\(walks) WHERE t0.ZDURATION > ? LIMIT ?"),
    Question(sort: .init(key: "date"), sql: "\(walks) ORDER BY t0.ZDATE, t0.Z_PK"),
    Question(sql: walks),
    Question(isForIDs: true, sql: walkKeys),
    Question(
      format: "nameKey == 'fido'", isForDogs: true, sql: "\(dogs) WHERE t0.ZNAMEKEY = ?"),
    Question(
      format: "nameKey IN {'fido', 'rex', 'tom'}", isForDogs: true,
      sql: "\(dogs) WHERE t0.ZNAMEKEY IN (?, ?, ?)"),
    Question(
      format: "nameKey BEGINSWITH 'f'", isForDogs: true,
      sql: "\(dogs) WHERE t0.ZNAMEKEY >= ? AND t0.ZNAMEKEY < ?"),
    Question(
      format: "ANY walks.date > %@", arguments: [.date(day)], isForDogs: true,
      sql: """
        \(dogs) WHERE EXISTS \
        (SELECT 1 FROM ZWALK AS t1 WHERE t1.ZDOG = t0.Z_PK AND t1.ZDATE > ?)
        """),
    Question(
      format: "walks.@count == 0", isForDogs: true,
      sql: "\(dogs) WHERE (SELECT count(*) FROM ZWALK AS t1 WHERE t1.ZDOG = t0.Z_PK) = ?"),
  ])
  func `a fetch uses the indexes that SQL by hand would`(question: Question) throws {
    let stack = try Stack()
    for name in ["Fido", "Rex"] { try stack.dog(name, minutes: [1, 2, 3]) }
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    #expect(try question.steps(in: stack) == [store.steps(of: question.sql)])
  }

  @Test func `a value is preferred to the entity, where several share a table`() throws {
    let stack = try Stack.kennel(.sqlite)
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    let ann = Person(context: stack.context)
    try stack.context.save()
    for (format, argument, sql) in [
      ("call IN {%@, 'x', 'y'}", "Rex", "t0.ZCALL IN (?, ?, ?)"),
      ("name == %@", "Rex", "t0.ZNAME = ?"), ("owner == %@", ann, "t0.ZOWNER = ?"),
      ("owner == %@ AND weeks > 5", ann, "t0.ZOWNER = ? AND t0.ZWEEKS > ?"),
    ] as [(String, any FetchPredicateArgument, String)] {
      var request = FetchRequest<Puppy>()
      request.predicate = try FetchPredicate(format: format, argument)
      let plans = try stack.plans { _ = try stack.anotherContext().fetch(request) }
      #expect(
        plans.map(\.steps) == [try store.steps(of: "SELECT t0.* FROM ZANIMAL AS t0 WHERE \(sql)")],
        "\(format)")
    }
    // Without one, the index on the entity is what there is.
    let all = try stack.plans {
      _ = try stack.anotherContext().fetch(FetchRequest<Puppy>())
    }
    #expect(all.first?.steps.first?.contains("Z_ENT=?") == true, "\(all)")
  }
}

extension Stack {
  /// The statements that a body runs, and SQLite's plan of each.
  func plans(_ body: () throws -> Void) throws -> [(sql: String, steps: [String])] {
    let store = try #require(container.persistentStore as? SQLiteStore)
    var statements: [String] = []
    store.connection.onStatement { statements.append($0) }
    try body()
    store.connection.onStatement { _ in }
    return try statements.map { ($0, try store.steps(of: $0)) }
  }
}

extension SQLiteStore {
  /// SQLite's plan of a statement.
  func steps(of sql: String) throws -> [String] {
    let explained = try connection.statement("EXPLAIN QUERY PLAN \(sql)")
    defer { explained.reset() }
    var steps: [String] = []
    while try explained.step() { steps.append(explained.string(at: 3) ?? "") }
    return steps
  }
}
