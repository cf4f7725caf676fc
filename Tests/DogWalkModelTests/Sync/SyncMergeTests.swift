import Foundation
import TestSupport
import Testing

@testable import DogWalkModel

/// A minimal store: things with two values each, and its records about them.
private struct TinyStore {
  var things: [Int: [Int]] = [:]
  var records: [Int: SyncRecord] = [:]
  var known: Set<SyncRound> = []

  static let fields = [SyncField(.note), SyncField(.walker)]

  static func key(_ thing: Int) -> SyncKey { SyncKey(nameKey: "\(thing)", of: .walk) }

  func item(_ thing: Int) -> SyncItem? {
    things[thing].map { values in
      SyncItem(
        key: Self.key(thing), kind: .walk, fingerprint: 0,
        digests: zip(Self.fields, values).filter { $0.1 != 0 }.map { ($0, UInt64($1)) })
    }
  }

  mutating func note(_ round: SyncRound) {
    for thing in Set(things.keys).union(records.keys) {
      if let item = item(thing) {
        let (record, isChanged) = item.noted(in: records[thing], round)
        records[thing] = record
        if isChanged { known.insert(round) }
      } else if let record = records[thing], record.isAlive {
        records[thing] = record.deleted(in: round)
        known.insert(round)
      }
    }
  }

  /// Adopts a merged thing.
  mutating func take(_ thing: Int, _ record: SyncRecord) {
    records[thing] = record
    things[thing] = record.isAlive ? Self.fields.map { Int(record[$0].digest) } : nil
  }
}

@Suite struct `A merge of two stores' records` {
  /// Syncs two stores; returns what was overwritten by the other's value.
  private func sync(
    _ here: inout TinyStore, _ there: inout TinyStore, using generator: inout SeededGenerator,
    isCut: Bool = false
  ) -> [(thing: Int, field: SyncField)] {
    here.note(generator.next() | 1)
    let start = here
    there.note(generator.next() | 1)
    let merge = SyncMerge(here: here.known, there: there.known, round: generator.next() | 1)
    var conflicts: [(thing: Int, field: SyncField)] = []
    var isDecided = false
    for thing in Set(here.records.keys).union(there.records.keys) {
      guard let outcome = merge.outcome(here.records[thing], there.records[thing]) else { continue }
      conflicts += outcome.conflicts.map { (thing, $0) }
      if outcome.isDecided { isDecided = true }
      here.take(thing, outcome.record)
      there.take(thing, outcome.record)
    }
    var known = here.known.union(there.known)
    if isDecided { known.insert(merge.round) }
    here.known = known
    there.known = known
    // The other store is written first.
    if isCut { here = start }
    return conflicts
  }

  @Test func `takes the value of the side that changed it`() throws {
    var generator = SeededGenerator(seed: 1)
    var (one, other) = (TinyStore(), TinyStore())
    one.things = [1: [1, 1], 2: [1, 1]]
    #expect(sync(&one, &other, using: &generator).isEmpty)
    #expect(other.things == one.things)
    one.things[1] = [2, 1]
    other.things[1] = [1, 3]
    other.things[2] = nil
    #expect(sync(&one, &other, using: &generator).isEmpty)
    #expect(one.things == [1: [2, 3]])
    #expect(other.things == one.things)
  }

  @Test func `keeps the other's value where both changed it`() throws {
    var generator = SeededGenerator(seed: 1)
    var (one, other) = (TinyStore(), TinyStore())
    one.things = [1: [1, 1]]
    _ = sync(&one, &other, using: &generator)
    one.things[1] = [2, 1]
    other.things[1] = [3, 1]
    let conflicts = sync(&one, &other, using: &generator)
    #expect(conflicts.map(\.thing) == [1])
    #expect(one.things == [1: [3, 1]])
    // Set back here, the value is transferred.
    one.things[1] = [2, 1]
    #expect(sync(&one, &other, using: &generator).isEmpty)
    #expect(other.things == [1: [2, 1]])
  }

  @Test func `keeps what one deleted and the other changed`() throws {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore()]
    stores[0].things = [1: [1, 1], 2: [1, 1]]
    sync(0, 1, &stores, using: &generator)
    sync(1, 2, &stores, using: &generator)
    stores[0].things = [:]
    stores[1].things[1] = [2, 1]
    sync(0, 1, &stores, using: &generator)
    #expect(stores[0].things == [1: [2, 1]])
    // The third learns of the deletion through the second, and of what was restored.
    sync(1, 2, &stores, using: &generator)
    #expect(stores[2].things == [1: [2, 1]])
  }

  @Test func `finds no changes where a store is synced with its copy`() throws {
    var generator = SeededGenerator(seed: 1)
    var one = TinyStore()
    one.things = [1: [1, 1]]
    var (other, third) = (one, one)
    _ = sync(&one, &other, using: &generator)
    _ = sync(&third, &other, using: &generator)
    // Though the third has been given other rounds, the first's change is the newer value.
    one.things[1] = [5, 1]
    #expect(sync(&one, &other, using: &generator).isEmpty)
    #expect(sync(&third, &other, using: &generator).isEmpty)
    #expect(third.things == [1: [5, 1]])
  }

  @Test func `treats a value that was set back as unchanged`() throws {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 0]
    sync(0, 1, &stores, using: &generator)
    // Changed, and set back; the second has synced neither.
    for values in [[2, 5], [1, 0]] {
      stores[0].things[1] = values
      sync(0, 2, &stores, using: &generator)
    }
    stores[1].things[1] = [3, 6]
    #expect(sync(0, 1, &stores, using: &generator).isEmpty)
    #expect(stores[0].things == [1: [3, 6]])
    #expect(stores[1].things == stores[0].things)
  }

  @Test func `treats a redone change as the original one`() throws {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 1]
    sync(0, 1, &stores, using: &generator)
    stores[1].things[1] = [2, 1]
    sync(0, 1, &stores, using: &generator)
    // A sync is undone, and redone, with one of another store in between.
    stores[0].things[1] = [1, 1]
    sync(0, 2, &stores, using: &generator)
    stores[0].things[1] = [2, 1]
    stores[1].things[1] = [3, 1]
    #expect(sync(0, 1, &stores, using: &generator).isEmpty)
    #expect(stores[0].things == [1: [3, 1]])
    #expect(sync(2, 0, &stores, using: &generator).isEmpty)
    #expect(stores[2].things == [1: [3, 1]])
  }

  @Test func `reports a change to a value that another store has set back`() throws {
    var generator = SeededGenerator(seed: 1)
    var (one, other) = (TinyStore(), TinyStore())
    one.things[1] = [1, 1]
    _ = sync(&one, &other, using: &generator)
    one.things[1] = [2, 1]
    _ = sync(&one, &other, using: &generator)
    one.things[1] = [1, 1]
    other.things[1] = [3, 1]
    #expect(sync(&one, &other, using: &generator).map(\.thing) == [1])
  }

  @Test func `reports decisions of others that do not know that a value was set back`() throws {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 1]
    for other in 1...3 { sync(0, other, &stores, using: &generator) }
    stores[0].things[1] = [3, 1]
    sync(0, 3, &stores, using: &generator)
    stores[1].things[1] = [2, 1]
    sync(1, 2, &stores, using: &generator)
    stores[2].things[1] = [1, 1]
    #expect(sync(0, 2, &stores, using: &generator).isEmpty)
    #expect(stores[2].things == [1: [3, 1]])
    #expect(sync(3, 1, &stores, using: &generator).map(\.thing) == [1])
    #expect(sync(0, 3, &stores, using: &generator).map(\.thing) == [1])
  }

  @Test func `reports changes to values that two pairs of stores have decided independently`()
    throws
  {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 1]
    for other in 1...3 { sync(0, other, &stores, using: &generator) }
    // Changed, and set back, as the third store knows.
    for value in [2, 1] {
      stores[0].things[1] = [value, 1]
      sync(0, 2, &stores, using: &generator)
    }
    stores[1].things[1] = [3, 1]
    sync(1, 3, &stores, using: &generator)
    #expect(sync(3, 2, &stores, using: &generator).isEmpty)
    #expect(sync(0, 1, &stores, using: &generator).isEmpty)
    #expect(stores.allSatisfy { $0.things == [1: [3, 1]] })
    stores[0].things[1] = [1, 1]
    stores[3].things[1] = [4, 1]
    #expect(sync(3, 0, &stores, using: &generator).map(\.thing) == [1])
  }

  @Test func `reports changes to a value that one chose, and others arrived at independently`()
    throws
  {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore(), TinyStore()]
    stores[3].things[1] = [1, 1]
    for other in 0...2 { sync(3, other, &stores, using: &generator) }
    stores[3].things[1] = [2, 1]
    sync(3, 0, &stores, using: &generator)
    stores[1].things[1] = [2, 1]
    stores[2].things[1] = [3, 1]
    #expect(sync(2, 1, &stores, using: &generator).map(\.thing) == [1])
    // Two arrive at one value; set back, it is transferred to the stores that have it.
    sync(0, 2, &stores, using: &generator)
    stores[3].things[1] = [1, 1]
    #expect(sync(3, 2, &stores, using: &generator).isEmpty)
    #expect(sync(2, 0, &stores, using: &generator).isEmpty)
    #expect(stores[0].things == [1: [1, 1]])
    stores[1].things[1] = [4, 1]
    #expect(sync(1, 0, &stores, using: &generator).map(\.thing) == [1])
  }

  @Test
  func `reports a value that one arrived at independently, over the one that others decided for`()
    throws
  {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 1]
    sync(0, 3, &stores, using: &generator)
    stores[0].things[1] = [2, 1]
    sync(0, 2, &stores, using: &generator)
    stores[3].things[1] = [3, 1]
    sync(3, 1, &stores, using: &generator)
    // The first has both, one after the other; others know the two, and decide otherwise.
    stores[0].things[1] = [3, 1]
    #expect(sync(3, 2, &stores, using: &generator).map(\.thing) == [1])
    #expect(sync(0, 1, &stores, using: &generator).isEmpty)
    #expect(sync(1, 2, &stores, using: &generator).map(\.thing) == [1])
  }

  @Test func `keeps a value that was set back after a restored one had been changed`() throws {
    var generator = SeededGenerator(seed: 1)
    var stores = [TinyStore(), TinyStore(), TinyStore()]
    stores[0].things[1] = [1, 1]
    sync(0, 2, &stores, using: &generator)
    for store in [0, 2] { stores[store].things[1] = [2, 1] }
    sync(1, 0, &stores, using: &generator)
    for store in [0, 1] { stores[store].things[1] = nil }
    // Restored, as the third has it; the second has only synced the value of the first.
    sync(0, 2, &stores, using: &generator)
    stores[0].things[1] = [1, 1]
    sync(0, 1, &stores, using: &generator)
    #expect(stores[0].things == [1: [1, 1]])
    #expect(stores[1].things == stores[0].things)
  }

  @Test func `reports the removal by one of what both have restored`() throws {
    var generator = SeededGenerator(seed: 1)
    var (one, other) = (TinyStore(), TinyStore())
    one.things[1] = [1, 1]
    _ = sync(&one, &other, using: &generator)
    one.things[1] = nil
    _ = sync(&one, &other, using: &generator)
    (one.things[1], other.things[1]) = ([0, 1], [2, 1])
    #expect(sync(&one, &other, using: &generator).map(\.thing) == [1])
    #expect(one.things == [1: [2, 1]])
  }

  @Test func `makes all stores equal, and loses nothing, whatever came before`() throws {
    let seed = SeededGenerator.seed()
    let isLong = ProcessInfo.processInfo.environment["LONG"] != nil
    for run in 0..<(isLong ? 200_000 : 5_000) {
      try history(seed &+ UInt64(run))
    }
  }

  /// One random history of three stores; old copies are restored now and then, and syncs cut.
  private func history(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var stores = [TinyStore(), TinyStore(), TinyStore()]
    var deleted: Set<Int> = []
    var made: Set<Int> = []
    var copy: TinyStore?
    for step in 0..<Int.random(in: 1...25, using: &generator) {
      let index = Int.random(in: 0..<3, using: &generator)
      let thing = stores[index].things.keys.sorted().randomElement(using: &generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...1:
        stores[index].things[step] = [1, Int.random(in: 0...2, using: &generator)]
        made.insert(step)
      case 2...4:
        guard let thing else { continue }
        let value = Int.random(in: 0...3, using: &generator)
        stores[index].things[thing]?[Int.random(in: 0...1, using: &generator)] = value
      case 5:
        guard let thing else { continue }
        stores[index].things[thing] = nil
        deleted.insert(thing)
      case 6: copy = stores[index]
      case 7:
        // What was added since the copy is lost where no other store has it: not by a sync.
        guard let old = copy else { continue }
        for thing in stores[index].things.keys where old.things[thing] == nil {
          deleted.insert(thing)
        }
        stores[index] = old
      default:
        let other = (index + Int.random(in: 1...2, using: &generator)) % 3
        let isCut = Int.random(in: 0..<4, using: &generator) == 0
        sync(index, other, &stores, using: &generator, isCut: isCut)
      }
    }
    for _ in 0..<2 {
      for (one, other) in [(0, 1), (1, 2), (0, 2)].shuffled(using: &generator) {
        sync(one, other, &stores, using: &generator)
      }
    }
    #expect(stores[0].things == stores[1].things, "seed \(seed)")
    #expect(stores[1].things == stores[2].things, "seed \(seed)")
    let lost = made.subtracting(deleted).filter { stores[0].things[$0] == nil }
    #expect(lost.isEmpty, "seed \(seed)")
  }

  @discardableResult
  private func sync(
    _ one: Int, _ other: Int, _ stores: inout [TinyStore], using generator: inout SeededGenerator,
    isCut: Bool = false
  ) -> [(thing: Int, field: SyncField)] {
    var (here, there) = (stores[one], stores[other])
    defer { (stores[one], stores[other]) = (here, there) }
    return sync(&here, &there, using: &generator, isCut: isCut)
  }
}
