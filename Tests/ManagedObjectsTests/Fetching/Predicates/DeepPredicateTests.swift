import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Deeply nested predicates: deeper than SQLite's parser accepts, and deeper than is accepted.
@Suite struct DeepPredicateTests {
  /// Fido with a walk of ten minutes, Rex with one of forty, and Tom with none.
  private func stack(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    try stack.dog("Rex", minutes: [40])
    try stack.dog("Tom")
    return stack
  }

  /// A predicate on dogs whose condition is nested so many levels deep.
  enum Shape: String, CaseIterable, Sendable {
    case nots, negatedConditions, additions, divisions, alternations, subqueries, choices, members

    func predicate(depth: Int) throws -> FetchPredicate {
      func nested(_ opening: (Int) -> String, _ core: String, _ closing: String) -> String {
        (0..<depth).map(opening).joined() + core + String(repeating: closing, count: depth)
      }
      let format =
        switch self {
        case .nots: String(repeating: "NOT ", count: depth / 2 * 2) + "name == 'Fido'"
        case .negatedConditions:
          nested({ "NOT (name == '\($0)' OR " }, "name == 'Fido'", ")")
            + (depth.isMultiple(of: 2) ? "" : " AND name != 'Tom'")
        case .additions:
          "walks.@sum.duration" + String(repeating: " + 1", count: depth) + " == \(600 + depth)"
        case .divisions: nested({ _ in "1 * (" }, "walks.@sum.duration", ")") + " == 600"
        case .alternations:
          nested(
            { $0.isMultiple(of: 2) ? "(name != '\($0)' AND " : "(name == '\($0)' OR " },
            "name == 'Fido'", ")")
        case .subqueries:
          nested(
            { $0 == 0 ? "SUBQUERY(walks, $x0, " : "SUBQUERY($x\($0 - 1).dog.walks, $x\($0), " },
            "$x\(depth - 1).duration == 600", ").@count > 0")
        case .choices:
          nested({ "TERNARY(nameKey == 'x\($0)', 0, " }, "walks.@sum.duration", ")") + " == 600"
        case .members:
          "ANY walks" + String(repeating: ".dog.walks", count: depth) + ".duration == 600"
        }
      return try FetchPredicate(format: format)
    }
  }

  @Test(arguments: Stack.allTypes, Shape.allCases)
  func `what SQLite cannot parse is found all the same`(
    type: PersistentStore.StoreType, shape: Shape
  ) throws {
    let stack = try stack(type)
    for depth in [4, 11, 16, 24, 31] {
      let predicate = try shape.predicate(depth: depth)
      let isDouble = shape == .negatedConditions && !depth.isMultiple(of: 2)
      let expected = isDouble ? ["Rex"] : ["Fido"]
      var request = Dog.fetchRequest()
      request.predicate = predicate
      let context = stack.anotherContext()
      #expect(try context.fetch(request).map(\.name) == expected, "\(shape), \(depth)")
      #expect(try context.fetchIDs(request).count == 1)
      #expect(try context.count(for: request) == 1)
      #expect(
        try context.fetch(Dog.fetchRequest()).filtered(using: predicate).map(\.name) == expected)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `every way to read rows accepts them`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    let dog = try #require(try stack.context.fetch(Dog.fetchRequest()).first { $0.name == "Fido" })
    for minutes in [20, 30] { dog.addToWalks(stack.walk(minutes: minutes)) }
    try stack.context.save()
    let context = stack.anotherContext()
    let deep = try Shape.alternations.predicate(depth: 40)
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(
      format: "duration > 0 AND \(deep.predicateFormat.replacing("name", with: "dog.name"))")
    request.sortDescriptors = [.init(key: "duration", ascending: false)]
    request.fetchOffset = 1
    request.fetchLimit = 2
    #expect(try context.fetch(request).map(\.duration) == [1200, 600])
    #expect(try context.fetchIDs(request).count == 2)
    #expect(try context.count(for: request) == 2)
    let cursor = try context.cursor(for: request)
    #expect(try cursor.next()?.duration == 1200)
    cursor.close()
    request.propertiesToFetch = ["dog.name", .init(name: "sum", .sum, of: .keyPath("duration"))]
    request.propertiesToGroupBy = ["dog.name"]
    (request.fetchLimit, request.fetchOffset) = (0, 0)
    #expect(
      try context.fetchDictionaries(request) == [
        ["dog.name": .string("Fido"), "sum": .double(3600)]
      ])
    var update = BatchUpdateRequest(entityName: "Walk")
    update.predicate = request.predicate
    update.propertiesToUpdate = ["note": .string("deep")]
    let changes = try context.execute(update)
    #expect(changes.updated.count == 3)
    let gone = try context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(gone.deleted.count == 3)
    #expect(try context.count(for: Walk.fetchRequest()) == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `so do dictionaries of deep expressions`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name", ascending: false)]
    let sum = try FetchExpression(
      format: String(repeating: "1 + (", count: 45) + "walks.@count"
        + String(repeating: ")", count: 45))
    request.propertiesToFetch = [.init(name: "sum", expression: sum)]
    #expect(
      try stack.context.fetchDictionaries(request).map { $0["sum"] } == [
        .integer(45), .integer(46), .integer(46),
      ])
  }

  @Test(arguments: Stack.allTypes)
  func `a key path through more tables than SQLite joins`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let samples = (0..<3).map { number in
      let sample = Sample(context: stack.context)
      sample.short = Int16(number)
      return sample
    }
    for (one, other) in zip(samples, samples[1...] + samples[..<1]) { one.next = other }
    try stack.context.save()
    let way = String(repeating: "next.", count: 64)
    var request = Sample.fetchRequest()
    request.predicate = .comparison(way + "short", .equal, .integer(2))
    let context = stack.anotherContext()
    #expect(try context.fetch(request).map(\.short) == [1])
    request.predicate = nil
    request.sortDescriptors = [.init(key: way + "short", ascending: false)]
    #expect(try context.fetch(request).map(\.short) == [1, 0, 2])
    request.fetchLimit = 2
    #expect(try context.fetchIDs(request).count == 2)
    samples[0].next?.text = "unsaved"
    #expect(try stack.context.fetch(request).map(\.short) == [1, 0])
  }

  // MARK: Too deep

  private static func beyond(_ depth: Int) -> [FetchPredicate] {
    var (nots, ands) = (FetchPredicate.constant(true), FetchPredicate.constant(true))
    var (sum, choice) = (FetchExpression.keyPath("duration"), FetchExpression.keyPath("duration"))
    for _ in 0..<depth {
      nots = .not(nots)
      ands = .all([.constant(true), .any([ands])])
      sum = .function(.add, [.constant(.integer(1)), sum])
      choice = .conditional(.constant(false), .constant(.integer(0)), choice)
    }
    return [
      nots, ands, .compare(.init(sum, .equal, .constant(.integer(1)))),
      .compare(.init(choice, .in, .aggregate([choice]))),
    ]
  }

  @Test(arguments: Stack.allTypes)
  func `a thousand levels built by hand are accepted, and more are refused`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    let walks = try stack.context.fetch(Walk.fetchRequest())
    for predicate in Self.beyond(490) {
      var request = Walk.fetchRequest()
      request.predicate = predicate
      let found = try stack.context.fetch(request)
      #expect(try walks.filtered(using: predicate) == found)
      #expect(predicate.withSubstitutionVariables([:]) == predicate)
    }
    for predicate in Self.beyond(100_000) {
      var request = Walk.fetchRequest()
      request.predicate = predicate
      let error = try #require(throws: PredicateBindingError.self) {
        try stack.context.fetch(request)
      }
      #expect(
        error.reason == "A predicate may nest 1000 levels deep; this one is deeper.")
      #expect(throws: PredicateBindingError.self) { try predicate.evaluate(with: walks[0]) }
      #expect(throws: PredicateBindingError.self) {
        try predicate.check(entityName: "Walk", in: .dogWalk)
      }
      // Everything else with it works.
      #expect(predicate == predicate.and(.constant(true)).or(predicate).at(.now))
      #expect(predicate.hashValue == predicate.withSubstitutionVariables([:]).hashValue)
      #expect(predicate.description == "(nested too deeply)")
    }
  }

  @Test func `an argument does not add more levels`() throws {
    var sum = FetchExpression.keyPath("a")
    for _ in 0..<990 { sum = .function(.add, [.constant(.integer(1)), sum]) }
    _ = try FetchPredicate(format: "%@ == 1", sum)
    let error = try #require(throws: PredicateFormatError.self) {
      try FetchPredicate(format: "%@" + String(repeating: " + 1", count: 20) + " == 1", sum)
    }
    #expect(error.reason == "this is nested too deeply")
  }
}
