import Foundation
import ManagedObjects
import Testing

@Suite struct FetchRequestTests {
  /// Samples with the numbers 0 to 9.
  private func stack(
    _ mode: FetchMode = .sql, on type: PersistentStore.StoreType? = nil
  ) throws -> Stack {
    try mode.stack(on: type) { context in
      for number in Int64(0)..<10 { Sample(context: context).long = number }
    }
  }

  private func request(_ change: (inout FetchRequest<Sample>) -> Void) -> FetchRequest<Sample> {
    var request = Sample.fetchRequest()
    request.predicate = .comparison("long", .greaterThan, .integer(1))
    request.sortDescriptors = [.init(key: "long", ascending: false)]
    change(&request)
    return request
  }

  /// Limit, offset, and the numbers expected of 9 down to 2.
  private static let windows: [(limit: Int, offset: Int, numbers: [Int64])] = [
    (0, 0, [9, 8, 7, 6, 5, 4, 3, 2]), (3, 0, [9, 8, 7]), (0, 6, [3, 2]), (3, 4, [5, 4, 3]),
    (3, 7, [2]), (3, 8, []), (100, 100, []), (100, 0, [9, 8, 7, 6, 5, 4, 3, 2]),
  ]

  @Test(arguments: FetchMode.allCases)
  func `limit and offset apply to the result, and likewise to the count`(mode: FetchMode) throws {
    let stack = try stack(mode)
    for window in Self.windows {
      let request = request { ($0.fetchLimit, $0.fetchOffset) = (window.limit, window.offset) }
      #expect(try stack.context.fetch(request).map(\.long) == window.numbers, "\(window)")
      #expect(try stack.context.count(for: request) == window.numbers.count, "\(window)")
    }
  }

  @Test(arguments: Stack.allTypes)
  func `counting registers no object`(type: PersistentStore.StoreType) throws {
    let stack = try stack(on: type)
    let other = stack.anotherContext()
    #expect(try other.count(for: request { _ in }) == 8)
    #expect(other.registeredObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are included`(type: PersistentStore.StoreType) throws {
    let stack = try stack(on: type)
    let samples = try stack.context.fetch(Sample.fetchRequest())
    Sample(context: stack.context).long = 20
    Sample(context: stack.context).long = -1
    stack.context.delete(samples[9])
    samples[0].long = 10
    samples[8].long = 0
    let request = request { _ in }
    #expect(try stack.context.fetch(request).map(\.long) == [20, 10, 7, 6, 5, 4, 3, 2])
    #expect(try stack.context.count(for: request) == 8)
    let window = self.request { ($0.fetchLimit, $0.fetchOffset) = (2, 1) }
    #expect(try stack.context.fetch(window).map(\.long) == [10, 7])
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are excluded where a request says so`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try stack(on: type)
    let samples = try stack.context.fetch(Sample.fetchRequest())
    Sample(context: stack.context).long = 20
    samples[0].long = 10
    stack.context.delete(samples[9])
    let request = request { $0.includesPendingChanges = false }
    #expect(try stack.context.fetch(request).count == 8)
    #expect(try stack.context.count(for: request) == 8)
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes of a to-one's destination are included`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Samples.model)
    let ends = ["a", "b", "c"].map { text in
      let sample = Sample(context: stack.context)
      sample.text = text
      return sample
    }
    for (number, end) in zip(Int64(1)..., ends) {
      let sample = Sample(context: stack.context)
      (sample.long, sample.next) = (number, end)
    }
    try stack.context.save()
    (ends[0].text, ends[1].text) = ("b", "x")
    var request = Sample.fetchRequest()
    request.predicate = .comparison("next.text", .equal, .string("b"))
    #expect(try stack.context.fetch(request).map(\.long) == [1])
    request.predicate = .comparison("long", .notEqual, nil)
    request.sortDescriptors = [.init(key: "next.text", ascending: false)]
    #expect(try stack.context.fetch(request).map(\.long) == [2, 3, 1])
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch through to-ones leaves no object of a superentity registered`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let person = Person(context: stack.context)
    let puppy = Puppy(context: stack.context)
    (puppy.name, person.favourite) = ("Pip", puppy)
    try stack.context.save()
    let other = stack.anotherContext()
    try #require(try other.fetch(Person.fetchRequest()).first).name = "Anna"
    var request = Person.fetchRequest()
    request.predicate = .comparison("favourite.name", .equal, .string("Pip"))
    let found = try #require(try other.fetch(request).first)
    #expect(found.favourite is Puppy)
  }

  @Test(arguments: Stack.allTypes)
  func `an entity is fetched by its name`(type: PersistentStore.StoreType) throws {
    let stack = try stack(on: type)
    let request = FetchRequest<ManagedObject>(entityName: "Sample")
    #expect(try stack.context.fetch(request).count == 10)
    #expect(try stack.context.fetch(request).allSatisfy { $0 is Sample })
  }

  @Test func `requests are values`() {
    let one = Sample.fetchRequest()
    var two = one
    two.fetchLimit = 5
    #expect(one.fetchLimit == 0)
  }
}
