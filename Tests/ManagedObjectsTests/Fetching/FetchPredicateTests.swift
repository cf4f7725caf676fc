import Foundation
import ManagedObjects
import Testing

/// Every operator on every type, through zero, one and two to-ones.
@Suite struct FetchPredicateTests {
  /// Samples with no value and with each value of a scale, and others that lead to them.
  private struct Ladder {
    let scale: Scale
    let stack: Stack

    init(_ scale: Scale, _ mode: FetchMode) throws {
      self.scale = scale
      stack = try mode.stack { context in
        for rank in [nil, 0, 1, 2] {
          let end = Sample(context: context)
          if let rank { scale.set(end, rank) }
          // The flag says how many to-ones away from the value a sample is.
          let (one, two) = (Sample(context: context), Sample(context: context))
          (one.next, one.flag) = (end, false)
          (two.next, two.flag) = (one, true)
        }
      }
    }

    /// The ranks of the values that are found so many to-ones away.
    func ranks(
      hops: Int = 0, _ predicate: (_ keyPath: String) -> FetchPredicate
    ) throws -> [Int?] {
      var request = Sample.fetchRequest()
      let flags: [AttributeValue?] = [nil, .boolean(false), .boolean(true)]
      let keyPath = String(repeating: "next.", count: hops) + scale.attribute
      request.predicate = .comparison("flag", .equal, flags[hops]).and(predicate(keyPath))
      return try stack.context.fetch(request).map { scale.rank(of: $0, hops: hops) }
    }
  }

  @Test(arguments: Scale.all, FetchMode.allCases)
  func `a value is compared by every operator`(scale: Scale, mode: FetchMode) throws {
    let ladder = try Ladder(scale, mode)
    for hops in 0...2 {
      func found(_ how: FetchPredicate.Operator) throws -> [Int?] {
        try ladder.ranks(hops: hops) { .comparison($0, how, scale.values[1]) }
      }
      #expect(try found(.equal) == [1])
      #expect(try found(.notEqual) == [nil, 0, 2])
      #expect(try found(.lessThan) == [0])
      #expect(try found(.lessThanOrEqual) == [0, 1])
      #expect(try found(.greaterThan) == [2])
      #expect(try found(.greaterThanOrEqual) == [1, 2])
    }
  }

  @Test(arguments: Scale.all, FetchMode.allCases)
  func `nil equals only nil, and has no order`(
    scale: Scale, mode: FetchMode
  ) throws {
    let ladder = try Ladder(scale, mode)
    for hops in 0...2 {
      func found(_ how: FetchPredicate.Operator) throws -> [Int?] {
        try ladder.ranks(hops: hops) { .comparison($0, how, nil) }
      }
      #expect(try found(.equal) == [nil])
      #expect(try found(.notEqual) == [0, 1, 2])
      #expect(try found(.lessThan) == [])
      #expect(try found(.lessThanOrEqual) == [])
      #expect(try found(.greaterThan) == [])
      #expect(try found(.greaterThanOrEqual) == [])
    }
  }

  @Test(arguments: Scale.all, FetchMode.allCases)
  func `a value is one of several`(scale: Scale, mode: FetchMode) throws {
    let ladder = try Ladder(scale, mode)
    for hops in 0...2 {
      func found(_ ranks: Int...) throws -> [Int?] {
        try ladder.ranks(hops: hops) { .isIn($0, ranks.map { scale.values[$0] }) }
      }
      #expect(try found() == [])
      #expect(try found(1) == [1])
      #expect(try found(2, 0, 2) == [0, 2])
    }
  }

  @Test(arguments: Scale.all, FetchMode.allCases)
  func `a negation includes objects without a value`(scale: Scale, mode: FetchMode) throws {
    let ladder = try Ladder(scale, mode)
    let middle = scale.values[1]
    for hops in 0...2 {
      func found(_ predicate: (String) -> FetchPredicate) throws -> [Int?] {
        try ladder.ranks(hops: hops) { .not(predicate($0)) }
      }
      #expect(try found { .comparison($0, .equal, middle) } == [nil, 0, 2])
      #expect(try found { .comparison($0, .notEqual, middle) } == [1])
      #expect(try found { .comparison($0, .lessThan, middle) } == [nil, 1, 2])
      #expect(try found { .isIn($0, [middle]) } == [nil, 0, 2])
      #expect(try found { .not(.comparison($0, .greaterThan, middle)) } == [2])
    }
  }

  @Test(arguments: FetchMode.allCases)
  func `NaN compares like nil`(mode: FetchMode) throws {
    let ladder = try Ladder(Scale("real", \.real, [-1, 0.5, 1]) { .double($0) }, mode)
    func found(_ how: FetchPredicate.Operator) throws -> [Int?] {
      try ladder.ranks { .comparison($0, how, .double(.nan)) }
    }
    #expect(try found(.equal) == [nil])
    #expect(try found(.notEqual) == [0, 1, 2])
    #expect(try found(.greaterThan) == [])
    #expect(try found(.lessThanOrEqual) == [])
    #expect(try ladder.ranks { .isIn($0, [.double(.nan), .double(0.5)]) } == [1])
  }

  @Test(arguments: FetchMode.allCases)
  func `integers and other numbers compare exactly`(mode: FetchMode) throws {
    let large: Int64 = 1 << 53
    let stack = try mode.stack { context in
      for long in [.min, -1, 0, large, large + 1, .max] { Sample(context: context).long = long }
    }
    func found(_ how: FetchPredicate.Operator, _ number: Double) throws -> [Int64?] {
      var request = Sample.fetchRequest()
      request.predicate = .comparison("long", how, .double(number))
      return try stack.context.fetch(request).map(\.long)
    }
    #expect(try found(.equal, Double(large)) == [large])
    #expect(try found(.greaterThan, Double(large)) == [large + 1, .max])
    #expect(try found(.lessThan, -0.5) == [.min, -1])
    #expect(try found(.greaterThan, 0.5) == [large, large + 1, .max])
    #expect(try found(.lessThan, 0x1p63) == [.min, -1, 0, large, large + 1, .max])
    #expect(try found(.equal, -0x1p63) == [.min])
    #expect(try found(.greaterThan, -.infinity).count == 6)
    #expect(try found(.greaterThanOrEqual, .infinity).isEmpty)
  }

  @Test(arguments: FetchMode.allCases)
  func `Booleans compare as 0 and 1`(mode: FetchMode) throws {
    let stack = try mode.stack { context in
      for flag in [nil, false, true] { Sample(context: context).flag = flag }
    }
    func found(_ predicate: FetchPredicate) throws -> [Bool?] {
      var request = Sample.fetchRequest()
      request.predicate = predicate
      return try stack.context.fetch(request).map(\.flag)
    }
    #expect(try found(.comparison("flag", .equal, .boolean(true))) == [true])
    #expect(try found(.comparison("flag", .equal, .integer(1))) == [true])
    #expect(try found(.comparison("flag", .notEqual, .boolean(true))) == [nil, false])
    #expect(try found(.comparison("flag", .lessThan, .boolean(true))) == [false])
    #expect(try found(.isIn("flag", [.boolean(false)])) == [false])
  }
}
