import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct FetchedDictionaryTests {
  private func stack(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    try stack.dog("Rex", minutes: [5])
    try stack.dog("Zoë", minutes: [40, 50])
    return stack
  }

  private var byDuration: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    return request
  }

  @Test(arguments: Stack.allTypes)
  func `values are returned in order, and missing ones omitted`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try stack(type)
    let walk = try #require(try stack.context.fetch(byDuration).first)
    walk.note = "short"
    try stack.context.save()
    var request = byDuration
    request.propertiesToFetch = ["duration", "note", "dog.name", "isOngoing"]
    request.fetchLimit = 2
    let found = try stack.context.fetchDictionaries(request)
    #expect(
      found == [
        [
          "duration": .double(300), "note": .string("short"), "dog.name": .string("Rex"),
          "isOngoing": .boolean(false),
        ],
        ["duration": .double(600), "dog.name": .string("Fido"), "isOngoing": .boolean(false)],
      ])
  }

  @Test(arguments: Stack.allTypes)
  func `an object is represented by the URI of its ID`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = byDuration
    request.fetchLimit = 1
    request.propertiesToFetch = [
      "dog", ExpressionDescription(name: "walk", expression: .evaluatedObject),
    ]
    let walk = try #require(try stack.context.fetch(request).first)
    let found = try stack.context.fetchDictionaries(request)
    #expect(
      found == [
        [
          "dog": .uri(try #require(walk.dog).objectID.uriRepresentation()),
          "walk": .uri(walk.objectID.uriRepresentation()),
        ]
      ])
  }

  @Test(arguments: Stack.allTypes)
  func `aggregates treat all rows as one group`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    let duration = FetchExpression.keyPath("duration")
    request.propertiesToFetch = [
      .init(name: "count", .count, of: .evaluatedObject), .init(name: "sum", .sum, of: duration),
      .init(name: "average", .average, of: duration), .init(name: "least", .minimum, of: duration),
      .init(name: "most", .maximum, of: duration),
      .init(name: "dogs", .countDistinct, of: .keyPath("dog")),
      .init(name: "notes", .count, of: .keyPath("note")),
      .init(name: "first", .minimum, of: .keyPath("date")),
      .init(
        name: "minutes", .sum, of: .function(.divide, [duration, .constant(.double(60))]),
        resultType: .integer64),
    ]
    let found = try stack.context.fetchDictionaries(request)
    let first = AttributeValue.date(Date(timeIntervalSinceReferenceDate: 300))
    #expect(
      found == [
        [
          "count": .integer(6), "sum": .double(9_300), "average": .double(1_550),
          "least": .double(300), "most": .double(3_000), "dogs": .integer(3),
          "notes": .integer(0), "first": first, "minutes": .integer(155),
        ]
      ])
    request.predicate = .constant(false)
    request.propertiesToFetch = [
      .init(name: "count", .count, of: .evaluatedObject), .init(name: "sum", .sum, of: duration),
      .init(name: "average", .average, of: duration),
    ]
    let none = try stack.context.fetchDictionaries(request)
    #expect(none.count == 1 && none[0]["count"] == .integer(0) && none[0]["average"] == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `rows are grouped, and groups filtered`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name", ascending: false)]
    request.propertiesToGroupBy = ["dog.name"]
    request.propertiesToFetch = [
      "dog.name", .init(name: "total", .sum, of: .keyPath("duration")),
      .init(name: "walks", .count, of: .evaluatedObject),
    ]
    func names() throws -> [AttributeValue?] {
      try stack.context.fetchDictionaries(request).map { $0["dog.name"] }
    }
    #expect(try stack.context.fetchDictionaries(request)[0]["total"] == .double(5_400))
    #expect(try names() == [.string("Zoë"), .string("Rex"), .string("Fido")])
    request.havingPredicate = .comparison("walks", .greaterThan, .integer(1))
    #expect(try names() == [.string("Zoë"), .string("Fido")])
    request.fetchOffset = 1
    #expect(try names() == [.string("Fido")])
    request.fetchOffset = 0
    request.fetchLimit = 1
    #expect(try names() == [.string("Zoë")])
  }

  @Test(arguments: Stack.allTypes)
  func `groups are filtered by variables, and by properties that are not fetched`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name", ascending: false)]
    request.propertiesToGroupBy = ["dog.name"]
    request.propertiesToFetch = [.init(name: "walks", .count, of: .evaluatedObject)]
    request.havingPredicate = try .init(format: "$walks > 1 AND dog.name == 'Fido'")
    let found = try stack.context.fetchDictionaries(request)
    #expect(found.count == 1 && found.first.map { Array($0.keys) } == ["walks"])
    request.havingPredicate = try .init(format: "dog.nmae == 'Fido'")
    #expect(throws: PredicateBindingError.self) { try stack.context.fetchDictionaries(request) }
    // All properties are fetched, and others evaluated as well.
    var every = Walk.fetchRequest()
    every.havingPredicate = try .init(format: "dog.name == 'Fido'")
    let all = try stack.context.fetchDictionaries(every)
    #expect(!all.isEmpty && all.allSatisfy { $0["dog.name"] == nil && $0["dog"] != nil })
    every.fetchLimit = 1
    #expect(try stack.context.fetchDictionaries(every).count == 1)
    request.havingPredicate = try .init(format: "$wlaks > 1")
    #expect(throws: PredicateBindingError.self) { try stack.context.fetchDictionaries(request) }
  }

  @Test(arguments: Stack.allTypes)
  func `equal dictionaries are returned once on request`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name")]
    request.propertiesToFetch = ["dog.name"]
    #expect(try stack.context.fetchDictionaries(request).count == 6)
    request.returnsDistinctResults = true
    let found = try stack.context.fetchDictionaries(request).map { $0["dog.name"] }
    #expect(found == [.string("Fido"), .string("Rex"), .string("Zoë")])
    request.fetchLimit = 2
    #expect(try stack.context.fetchDictionaries(request).count == 2)
  }

  // é as one scalar and as two: one text for Swift, two for a predicate and for SQL.
  @Test(arguments: Stack.allTypes)
  func `texts are equal where their bytes are`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [1, 2, 3])
    for (walk, note) in zip(dog.walks, ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"]) {
      walk.note = note
    }
    try stack.context.save()
    var request = Walk.fetchRequest()
    request.propertiesToFetch = ["note"]
    request.returnsDistinctResults = true
    func found() throws -> [[UInt8]] {
      try stack.context.fetchDictionaries(request).map {
        guard case .string(let text)? = $0["note"] else { return [] }
        return Array(text.utf8)
      }
    }
    let notes = ["caf\u{E9}", "cafe\u{301}"].map { Array($0.utf8) }
    #expect(try found() == notes)
    request.returnsDistinctResults = false
    request.propertiesToFetch = ["note", .init(name: "count", .count, of: .evaluatedObject)]
    request.propertiesToGroupBy = ["note"]
    #expect(try found() == notes)
    #expect(
      try stack.context.fetchDictionaries(request).map { $0["count"] } == [
        .integer(2), .integer(1),
      ])
    request.propertiesToGroupBy = []
    request.propertiesToFetch = [.init(name: "notes", .countDistinct, of: .keyPath("note"))]
    #expect(try stack.context.fetchDictionaries(request) == [["notes": .integer(2)]])
    let union = dog.value(forKeyPath: "walks.@distinctUnionOfObjects.note") as? [Any?]
    #expect(union?.count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `an invalid request is refused`(type: PersistentStore.StoreType) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.propertiesToFetch = ["nothing"]
    #expect(throws: PredicateBindingError.self) { try stack.context.fetchDictionaries(request) }
  }
}
