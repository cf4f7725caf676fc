import Foundation
import ManagedObjects
import Testing

@Suite struct SortDescriptorTests {
  @Test(arguments: Scale.all, FetchMode.allCases)
  func `objects are sorted by a value, those without one first`(
    scale: Scale, mode: FetchMode
  ) throws {
    let stack = try mode.stack { context in
      for rank in [2, nil, 0, 1] {
        let sample = Sample(context: context)
        if let rank { scale.set(sample, rank) }
      }
    }
    func ranks(ascending: Bool) throws -> [Int?] {
      var request = Sample.fetchRequest()
      request.sortDescriptors = [.init(key: scale.attribute, ascending: ascending)]
      return try stack.context.fetch(request).map { scale.rank(of: $0, hops: 0) }
    }
    #expect(try ranks(ascending: true) == [nil, 0, 1, 2])
    #expect(try ranks(ascending: false) == [2, 1, 0, nil])
  }

  @Test(arguments: FetchMode.allCases)
  func `objects are sorted by a value of a to-one`(mode: FetchMode) throws {
    let stack = try mode.stack { context in
      for (number, text) in zip(Int64(1)..., ["b", nil, "c", "a"]) {
        let sample = Sample(context: context)
        sample.long = number
        guard let text else { continue }
        sample.next = Sample(context: context)
        sample.next?.text = text
      }
    }
    var request = Sample.fetchRequest()
    request.predicate = .comparison("long", .notEqual, nil)
    request.sortDescriptors = [.init(key: "next.text")]
    #expect(try stack.context.fetch(request).map(\.long) == [2, 4, 1, 3])
    request.sortDescriptors = [.init(key: "next.text", ascending: false)]
    #expect(try stack.context.fetch(request).map(\.long) == [3, 1, 4, 2])
  }

  @Test(arguments: FetchMode.allCases)
  func `equal objects are sorted by the next descriptor`(mode: FetchMode) throws {
    let stack = try mode.stack { context in
      for (short, text) in [(2, "b"), (1, "a"), (2, "a"), (1, "b")] {
        let sample = Sample(context: context)
        (sample.short, sample.text) = (Int16(short), text)
      }
    }
    var request = Sample.fetchRequest()
    request.sortDescriptors = [.init(key: "text", ascending: false), .init(key: "short")]
    let found = try stack.context.fetch(request).map { "\($0.text!)\($0.short!)" }
    #expect(found == ["b1", "b2", "a1", "a2"])
  }

  @Test(arguments: FetchMode.allCases, [true, false])
  func `objects equal by all descriptors are in order of creation`(
    mode: FetchMode, isAscending: Bool
  ) throws {
    let stack = try mode.stack { context in
      for number in 0..<50 {
        let sample = Sample(context: context)
        (sample.long, sample.text) = (Int64(number), "same")
      }
    }
    var request = Sample.fetchRequest()
    request.sortDescriptors = [.init(key: "text", ascending: isAscending)]
    #expect(try stack.context.fetch(request).map(\.long) == (0..<50).map { Int64($0) })
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved objects follow equal saved ones`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    for number in Int64(0)..<6 {
      Sample(context: stack.context).long = number
      if number == 2 { try stack.context.save() }
    }
    var request = Sample.fetchRequest()
    request.sortDescriptors = [.init(key: "text")]
    #expect(try stack.context.fetch(request).map(\.long) == [0, 1, 2, 3, 4, 5])
  }
}
