import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random queries of SQL and of the evaluation in memory, which are implemented separately.
@Suite struct RandomPredicateTests {
  @Test(arguments: 0..<6)
  func `SQL and memory give the same answer`(round: Int) throws {
    let seed = SeededGenerator.seed() &+ UInt64(round)
    let stacks = try FetchMode.allCases.map { mode in
      // The same seed for each, so the same samples.
      var random = SeededGenerator(seed: seed)
      return try mode.stack { RandomSamples.fill($0, &random) }
    }
    var random = SeededGenerator(seed: ~seed)
    for step in 0..<60 {
      let recipe = random.next()
      let found = try stacks.map { stack in
        let samples = try stack.context.fetch(Sample.fetchRequest())
        var random = SeededGenerator(seed: recipe)
        var request = Sample.fetchRequest()
        request.predicate = RandomSamples.predicate(&random, depth: 3, ids: samples.map(\.objectID))
        request.sortDescriptors = RandomSamples.sortDescriptors(&random)
        if Bool.random(using: &random) {
          request.fetchLimit = Int.random(in: 1...9, using: &random)
        }
        if Bool.random(using: &random) {
          request.fetchOffset = Int.random(in: 0...5, using: &random)
        }
        let places = Dictionary(uniqueKeysWithValues: zip(samples, 0...))
        return try stack.context.fetch(request).map { places[$0]! }
      }
      try #require(
        found.allSatisfy { $0 == found[0] },
        "\(found) at step \(step) of SEED=\(seed &- UInt64(round))")
    }
  }
}

/// Samples and queries made of few values, so that they often match.
private enum RandomSamples {
  static func fill(_ context: ManagedObjectContext, _ random: inout SeededGenerator) {
    var samples: [Sample] = []
    for _ in 0..<40 {
      let sample = Sample(context: context)
      sample.short = pick([nil, -1, 0, 1, .max], &random)
      sample.middle = pick([nil, -1, 0, 1, .min], &random)
      sample.long = pick([nil, 0, 1, 1 << 53, 1 << 53 + 1, .min, .max], &random)
      sample.flag = pick([nil, false, true], &random)
      sample.real = pick([nil, -0.5, -0.0, 0, 0.5, 1, 0x1p53, .infinity], &random)
      sample.single = pick([nil, -0.5, 0, 0.5, 1], &random)
      sample.date = pick(dates, &random)
      sample.price = pick([nil, Decimal(0), Decimal(1), Decimal(string: "0.1")], &random)
      sample.text = pick([nil, "", "a", "b", "ä", "a\(Stack.nul)", "1", "🐕"], &random)
      sample.link = pick([nil, "x:1", "x:2"], &random).flatMap { URL(string: $0) }
      sample.uuid = pick(uuids, &random)
      sample.bytes = pick([nil, Data(), Data([0]), Data([0xFF])], &random)
      sample.next = pick([nil] + samples, &random)
      samples.append(sample)
    }
  }

  private static let dates = [
    nil, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1),
    Date(timeIntervalSinceReferenceDate: -0.25),
  ]
  private static let uuids = [nil, "00", "FF"].map { start in
    start.flatMap { UUID(uuidString: "\($0)000000-0000-0000-0000-000000000000") }
  }

  private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
    values.randomElement(using: &random)!
  }

  static func predicate(
    _ random: inout SeededGenerator, depth: Int, ids: [ManagedObjectID]
  ) -> FetchPredicate {
    func parts(_ random: inout SeededGenerator) -> [FetchPredicate] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        predicate(&random, depth: depth - 1, ids: ids)
      }
    }
    func someIDs(_ random: inout SeededGenerator) -> [ManagedObjectID] {
      (0..<Int.random(in: 0...12, using: &random)).map { _ in pick(ids, &random) }
    }
    switch Int.random(in: depth > 0 ? 0..<12 : 4..<12, using: &random) {
    case 0: return .all(parts(&random))
    case 1: return .any(parts(&random))
    case 2, 3: return .not(predicate(&random, depth: depth - 1, ids: ids))
    case 4: return .object(isIn: someIDs(&random))
    case 5: return .relationship(path("next", &random), isIn: someIDs(&random))
    case 6: return .comparison(path("next", &random), pick([.equal, .notEqual], &random), nil)
    case 7:
      let (name, values) = pick(attributes, &random)
      return .isIn(
        path(name, &random),
        (0..<Int.random(in: 0...4, using: &random)).map { _ in pick(values, &random) })
    default:
      let (name, values) = pick(attributes, &random)
      return .comparison(
        path(name, &random), pick(operators, &random), pick([nil] + values, &random))
    }
  }

  static func sortDescriptors(_ random: inout SeededGenerator) -> [FetchSortDescriptor] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let (name, _) = pick(attributes, &random)
      return FetchSortDescriptor(key: path(name, &random), ascending: Bool.random(using: &random))
    }
  }

  private static func path(_ name: String, _ random: inout SeededGenerator) -> String {
    String(repeating: "next.", count: pick([0, 0, 1, 1, 2, 3], &random)) + name
  }

  private static let operators: [FetchPredicate.Operator] = [
    .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
  ]

  private static let numbers: [AttributeValue] = [
    .integer(-1), .integer(0), .integer(1), .integer(1 << 53 + 1), .integer(.max), .integer(.min),
    .boolean(false), .boolean(true), .double(0.5), .double(-0.5), .double(-0.0), .double(0x1p53),
    .double(0x1p63), .double(.infinity), .double(.nan), .decimal(Decimal(string: "0.1")!),
    .decimal(1), .date(Date(timeIntervalSinceReferenceDate: 1)),
  ]

  private static let attributes: [(String, [AttributeValue])] =
    ["short", "middle", "long", "flag", "real", "single", "date", "price"].map { ($0, numbers) } + [
      ("text", ["", "a", "b", "ä", "a\(Stack.nul)", "1", "🐕"].map { .string($0) }),
      ("link", ["x:1", "x:2"].map { .uri(URL(string: $0)!) }),
      ("uuid", uuids.compactMap { $0.map { .uuid($0) } }),
      ("bytes", [Data(), Data([0]), Data([0xFF])].map { .binary($0) }),
    ]
}
