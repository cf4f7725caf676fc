import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import ManagedObjects

/// Real stores that were damaged: each is read as far as possible, or refused with a reason.
///
/// `DAMAGES=500 swift test --filter DamagedFixtureTests` tries more than the few of every run.
@Suite(.enabled(if: !Fixture.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct DamagedFixtureTests {
  private static let damages =
    ProcessInfo.processInfo.environment["DAMAGES"].flatMap { Int($0) } ?? 6

  @Test(arguments: Fixture.all)
  func `flipped and missing bytes are an error or are read, and nothing is written`(
    fixture: Fixture
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for step in 0..<Self.damages {
      let folder = try fixture.copy()
      for suffix in ["", "-wal"] {
        let file = URL(filePath: folder.store.path + suffix)
        guard var bytes = try? Data(contentsOf: file), !bytes.isEmpty else { continue }
        Self.damage(&bytes, &random)
        try bytes.write(to: file)
      }
      try Self.read(folder, fixture, "step \(step) of seed \(seed)")
    }
  }

  @Test(arguments: Fixture.all)
  func `missing tables and broken metadata are an error`(fixture: Fixture) throws {
    let whole = try fixture.copy()
    let tables = try SQLiteFile(whole.store)
      .column("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .filter { !$0.hasPrefix("A") && $0 != "Z_MODELCACHE" }
    let damages =
      tables.map { "DROP TABLE \($0)" }
      + ["x''", "x'00'", "NULL", "'text'", "substr(Z_PLIST, 1, length(Z_PLIST) / 2)"]
      .map { "UPDATE Z_METADATA SET Z_PLIST = \($0)" }
      + ["DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL"]
    for damage in damages {
      let folder = try fixture.copy()
      try SQLiteFile(folder.store).execute("\(damage); PRAGMA wal_checkpoint(TRUNCATE)")
      try? FileManager.default.removeItem(atPath: folder.store.path + "-shm")
      let failures = try Self.read(folder, fixture, damage)
      #expect(!failures.isEmpty, "\(damage)")
    }
  }

  @Test(arguments: Fixture.all)
  func `wrong numbers in the bookkeeping are tolerated`(fixture: Fixture) throws {
    for damage in [
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 1000", "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL, Z_SUPER = 99", "DELETE FROM Z_PRIMARYKEY",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'x'",
    ] {
      let folder = try fixture.copy()
      try SQLiteFile(folder.store).execute(damage)
      // SQLite's index of the log may be written by SQLite.
      try? FileManager.default.removeItem(atPath: folder.store.path + "-shm")
      try Self.read(folder, fixture, damage)
    }
  }

  private static func damage(_ bytes: inout Data, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    case 1:
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
    case 2:
      let page = Int.random(in: 0...(bytes.count - 1) / 4096, using: &random) * 4096
      for place in page..<min(page + 4096, bytes.count) {
        if Int.random(in: 0..<8, using: &random) == 0 { bytes[place] = 0 }
      }
    default:
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  /// Reads everything that can be read, opened both ways; returns the errors.
  @discardableResult
  private static func read(
    _ folder: StoreFolder, _ fixture: Fixture, _ damage: String
  ) throws -> [any Error] {
    var failures: [any Error] = []
    for isReadOnly in [true, false] {
      let (before, beforeOpening) = (try folder.allBytes(), try folder.bytes())
      do {
        let container = try folder.open(fixture.model.model) {
          $0.isReadOnly = isReadOnly
          $0.ignoredObstacles = [.derivedAttributes, .persistentHistory]
        }
        failures += contents(of: container)
      } catch {
        #expect(error is PersistentStoreError, "\(error): \(damage)")
        failures.append(error)
        #expect(try folder.bytes() == beforeOpening, "\(damage)")
      }
      if isReadOnly { #expect(try folder.allBytes() == before, "\(damage)") }
    }
    return failures
  }

  private static func contents(of container: PersistentContainer) -> [any Error] {
    let context = container.newBackgroundContext()
    let coordinator = container.persistentStoreCoordinator
    var failures: [any Error] = []
    for entity in container.managedObjectModel.entities {
      do {
        let found = try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
        for object in found.prefix(50) {
          for (slot, content) in object._entity.binding.slots.enumerated() {
            guard case .attribute(let attribute) = content else { continue }
            _ = object.row.value(at: slot, type: attribute.type)
          }
          for toMany in object._entity.binding.toManys {
            guard case .join(let end) = toMany.storage else { continue }
            var plan = FetchPlan(entity: context.binding(at: toMany.destination))
            plan.link = FetchPlan.Link(end: end, owners: [object._key])
            try coordinator.read(plan) { rows in while try rows.next() {} }
          }
        }
      } catch {
        #expect(error is PersistentStoreError, "\(error)")
        failures.append(error)
      }
    }
    return failures
  }
}
