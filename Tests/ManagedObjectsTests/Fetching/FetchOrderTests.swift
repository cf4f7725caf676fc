import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// The order of objects where nothing is sorted by.
@Suite struct FetchOrderTests {
  /// Walks whose dates are in a different order from their keys.
  private func stack(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [50, 20, 90, 10, 70, 20, 60])
    return stack
  }

  private func keys(_ walks: [Walk]) -> [String] { walks.map { $0.objectID.description } }

  private var since: FetchPredicate {
    .comparison("date", .greaterThan, .date(Date(timeIntervalSinceReferenceDate: 900)))
  }

  @Test(arguments: Stack.allTypes)
  func `all objects are in primary-key order, whichever index finds them`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    let all = keys(try stack.context.fetch(request))
    request.predicate = since
    let found = keys(try stack.anotherContext().fetch(request))
    #expect(found.count == 6 && found == all.filter(Set(found).contains))
    #expect(try stack.context.fetchIDs(request).map(\.description) == found)
    request.fetchBatchSize = 2
    #expect(keys(try stack.anotherContext().fetch(request)) == found)
    request.fetchBatchSize = 0
    let asynchronous = try await stack.anotherContext().fetchAsynchronously(request)
    #expect(keys(asynchronous) == found)
    let walk = try #require(try stack.context.fetch(request).last)
    walk.note = "unsaved"
    #expect(keys(try stack.context.fetch(request)) == found)
    let child = ManagedObjectContext(parent: stack.context)
    #expect(keys(try child.fetch(request)) == found)
    let new = stack.walk(minutes: 80)
    #expect(keys(try stack.context.fetch(request)) == found + keys([new]))
    #expect(keys(try child.fetch(request)) == found + keys([new]))
  }

  @Test(arguments: Stack.allTypes)
  func `pages are the same in every store, and each object is on one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.predicate = since
    func pages(_ size: Int, in context: ManagedObjectContext) throws -> [[Int]] {
      try stride(from: 0, to: 6, by: size).map { start in
        (request.fetchLimit, request.fetchOffset) = (size, start)
        return try context.fetch(request).map { Int($0.duration! / 60) }
      }
    }
    // By the index on the date, which has the latest first.
    #expect(try pages(2, in: stack.anotherContext()) == [[90, 70], [60, 50], [20, 20]])
    #expect(try pages(1, in: stack.anotherContext()).flatMap { $0 } == [90, 70, 60, 50, 20, 20])
    stack.context.insertedWalk(note: "unsaved")
    #expect(try pages(2, in: stack.context) == [[90, 70], [60, 50], [20, 20]])
    // An attribute without an index has no effect on the order.
    request.predicate = .comparison("duration", .greaterThan, .double(900))
    #expect(try pages(3, in: stack.anotherContext()) == [[50, 20, 90], [70, 20, 60]])
    request.predicate = nil
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    #expect(try stack.context.fetchIDs(request) == stack.context.fetch(request).map(\.objectID))
  }

  @Test(arguments: Stack.allTypes)
  func `groups are ordered by their first rows, and dictionaries by primary key`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    var request = Walk.fetchRequest()
    request.predicate = since
    request.propertiesToFetch = ["duration"]
    func minutes() throws -> [Int?] {
      try stack.context.fetchDictionaries(request).map {
        guard case .double(let seconds)? = $0["duration"] else { return nil }
        return Int(seconds / 60)
      }
    }
    #expect(try minutes() == [50, 20, 90, 70, 20, 60])
    request.returnsDistinctResults = true
    #expect(try minutes() == [50, 20, 90, 70, 60])
    request.propertiesToFetch = ["duration", .init(name: "count", .count, of: .evaluatedObject)]
    request.propertiesToGroupBy = ["duration"]
    #expect(try minutes() == [50, 20, 90, 70, 60])
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try minutes() == [20, 90])
  }
}

extension ManagedObjectContext {
  /// A walk that no predicate of these tests finds.
  fileprivate func insertedWalk(note: String) {
    let walk = Walk(context: self)
    walk.date = Date(timeIntervalSinceReferenceDate: 0)
    walk.note = note
  }
}
