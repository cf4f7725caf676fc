import Foundation
import ManagedObjects
import TestSupport
import Testing

/// The text orders, and a comparator, on every way to evaluate a fetch.
@Suite struct SortSelectorTests {
  private func texts(
    _ mode: FetchMode, _ texts: [String?], _ sorts: [FetchSortDescriptor], limit: Int = 0,
    offset: Int = 0
  ) throws -> [String?] {
    let stack = try mode.stack { context in
      for text in texts { Sample(context: context).text = text }
    }
    var request = Sample.fetchRequest()
    request.sortDescriptors = sorts
    request.fetchLimit = limit
    request.fetchOffset = offset
    return try stack.context.fetch(request).map(\.text)
  }

  @Test(arguments: FetchMode.allCases)
  func `case is ignored, and missing texts come first`(mode: FetchMode) throws {
    let given = ["b", "A", nil, "C", "a", "É", "é", "B"]
    let sort = FetchSortDescriptor(key: "text", selector: .caseInsensitiveCompare)
    // Equal ones stay in order of creation.
    #expect(try texts(mode, given, [sort]) == [nil, "A", "a", "b", "B", "C", "É", "é"])
    #expect(
      try texts(mode, ["b", "A", nil, "a"], [sort.reversedSortDescriptor])
        == ["b", "A", "a", nil])
  }

  @Test(arguments: FetchMode.allCases)
  func `names come in the order that people expect`(mode: FetchMode) throws {
    let expected = ["", " a", "Walk 1", "walk 2", "Walk 2", "walk 10", "wälk 10", "walker", "Zoë"]
    let sort = FetchSortDescriptor(key: "text", selector: .localizedStandardCompare)
    #expect(try texts(mode, expected.reversed(), [sort]) == expected)
    #expect(
      try texts(mode, expected, [sort.reversedSortDescriptor], limit: 3, offset: 1)
        == ["walker", "wälk 10", "walk 10"])
  }

  @Test(arguments: FetchMode.allCases)
  func `the next descriptor decides between texts that differ in case`(mode: FetchMode) throws {
    let stack = try mode.stack { context in
      for (text, short) in [("a", 2), ("A", 1), ("b", 0), ("a", 0)] {
        let sample = Sample(context: context)
        (sample.text, sample.short) = (text, Int16(short))
      }
    }
    var request = Sample.fetchRequest()
    request.sortDescriptors = [
      .init(key: "text", selector: .caseInsensitiveCompare), .init(key: "short"),
    ]
    #expect(
      try stack.context.fetch(request).map { "\($0.text!)\($0.short!)" } == [
        "a0", "A1", "a2", "b0",
      ])
  }

  @Test(arguments: FetchMode.allCases)
  func `a comparator sorts before the limit is applied`(mode: FetchMode) throws {
    let byLength = FetchSortDescriptor(key: "text") { one, other in
      guard case .string(let one) = one, case .string(let other) = other else {
        return .orderedSame
      }
      return one.count < other.count
        ? .orderedAscending : one.count > other.count ? .orderedDescending : .orderedSame
    }
    let given = ["ccc", "a", nil, "bb", "dddd", "b"]
    #expect(try texts(mode, given, [byLength]) == [nil, "a", "b", "bb", "ccc", "dddd"])
    #expect(
      try texts(mode, given, [byLength.reversedSortDescriptor], limit: 2, offset: 1)
        == ["ccc", "bb"])
    #expect(
      try texts(mode, given, [byLength, .init(key: "text", ascending: false)])
        == [nil, "b", "a", "bb", "ccc", "dddd"])
  }

  @Test(arguments: FetchMode.allCases)
  func `values of a to-one may be sorted in any order`(mode: FetchMode) throws {
    let stack = try mode.stack { context in
      for (number, text) in zip(Int64(1)..., ["walk 10", "Walk 2", "walk 1"]) {
        let sample = Sample(context: context)
        sample.long = number
        sample.next = Sample(context: context)
        sample.next?.text = text
      }
    }
    var request = Sample.fetchRequest()
    request.predicate = .comparison("long", .notEqual, nil)
    request.sortDescriptors = [.init(key: "next.text", selector: .localizedStandardCompare)]
    #expect(try stack.context.fetch(request).map(\.long) == [3, 2, 1])
    request.sortDescriptors = [
      .init(key: "next.text") { one, other in
        "\(one)".count < "\(other)".count ? .orderedAscending : .orderedDescending
      }
    ]
    request.fetchLimit = 1
    #expect(try stack.context.fetch(request).count == 1)
  }

  @Test func `every way to evaluate gives one order`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let given = (0..<60).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        ["a", "A", "é", "E\u{301}", "ß", "1", "10", "02", "-", " ", "日"].randomElement(
          using: &random)!
      }.joined()
    }
    for selector in [
      FetchSortDescriptor.Selector.caseInsensitiveCompare, .localizedStandardCompare,
    ] {
      let sort = FetchSortDescriptor(key: "text", selector: selector)
      let bySQL = try texts(.sql, given, [sort])
      for mode in FetchMode.allCases {
        #expect(try texts(mode, given, [sort]) == bySQL, "\(mode), seed \(seed)")
      }
    }
  }

  @Test func `two values are compared as a fetch compares them`() throws {
    let texts = ["", "walk 10", "Walk 2", "walk 2", "É", "e", "z"]
    for selector in [
      FetchSortDescriptor.Selector.compare, .caseInsensitiveCompare, .localizedStandardCompare,
    ] {
      let sort = FetchSortDescriptor(key: "text", selector: selector)
      let sorted = texts.enumerated().sorted { one, other in
        let order = sort.compare(.string(one.element), .string(other.element))
        return order == .orderedSame ? one.offset < other.offset : order == .orderedAscending
      }
      #expect(try self.texts(.memory, texts, [sort]) == sorted.map(\.element))
    }
    let sort = FetchSortDescriptor(key: "text")
    #expect(sort.compare(nil, nil) == .orderedSame)
    #expect(sort.compare(nil, .integer(-1)) == .orderedAscending)
    #expect(sort.compare(.double(2.5), .integer(2)) == .orderedDescending)
    #expect(sort.compare(.binary(Data([1, 2])), .binary(Data([1, 3]))) == .orderedAscending)
    let backwards = FetchSortDescriptor(key: "text") {
      "\($1)" < "\($0)" ? .orderedAscending : .orderedDescending
    }
    #expect(backwards.compare(.string("a"), .string("b")) == .orderedDescending)
  }
}
