import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@testable import ManagedObjects

/// Stores that are opened read-only.
@Suite struct ReadOnlyStoreTests {
  /// The whole content of a store as text, to compare two readings.
  static func contents(
    of context: ManagedObjectContext, _ model: ManagedObjectModel
  ) throws -> [String] {
    var lines: [String] = []
    for entity in model.entitiesInNumberOrder {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request).sorted(by: { $0._key < $1._key }) {
        lines.append(object.everything)
      }
    }
    return lines
  }

  @Test(
    .enabled(if: !Fixture.all.isEmpty, "../shared/fixtures are missing"), arguments: Fixture.all)
  func `reading everything writes nothing, and sees what is only in the log`(
    fixture: Fixture
  ) throws {
    let folder = try fixture.copy()
    let before = try folder.allBytes()
    let lines = try Self.contents(
      of: folder.open(fixture.model.model) { $0.isReadOnly = true }.newBackgroundContext(),
      fixture.model.model)
    #expect(try folder.allBytes() == before)

    let rows = try SQLiteFile(folder.store)
    let tables = Set(
      fixture.model.model.entities.filter { $0.superentityName == nil }
        .map { "Z" + $0.name.uppercased() })
    #expect(
      try lines.count == tables.map { try rows.number("SELECT count(*) FROM \($0)") }.reduce(0, +))
  }

  @Test func `a save is refused and nothing is written`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10])
    let before = try folder.bytes()
    let container = try folder.open { $0.isReadOnly = true }
    #expect(container.persistentStore.isReadOnly)
    let context = container.newBackgroundContext()
    let fido = try #require(try context.fetch(Dog.fetchRequest()).first)
    fido.name = "Rex"
    #expect {
      try context.save()
    } throws: {
      guard case PersistentStoreError.readOnly(folder.store) = $0 else { return false }
      return "\($0)".contains("read-only")
    }
    #expect(fido.name == "Rex")
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.setMetadata(
        .string("x"), forKey: "x", of: container.persistentStore)
    }
    #expect(try folder.bytes() == before)
  }

  /// How many dogs a reader sees.
  private func dogs(_ container: PersistentContainer) throws -> Int {
    try container.newBackgroundContext().count(for: Dog.fetchRequest())
  }

  @Test func `others' saves made meanwhile are seen`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    let reader = try folder.open { $0.isReadOnly = true }
    #expect(try dogs(reader) == 1)
    try folder.save("Rex")
    #expect(try dogs(reader) == 2)
    let writer = try folder.open()
    let context = writer.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Bella", in: context)
    try context.save()
    #expect(try dogs(reader) == 3)
  }

  @Test(arguments: [true, false])
  func `a leftover log is read, and left in place`(hasIndex: Bool) throws {
    let folder = try StoreFolder()
    try folder.save("Rex")
    try folder.leaveLog("Fido", minutes: [5], withIndex: hasIndex)
    let before = try folder.allBytes()
    do {
      let reader = try folder.open { $0.isReadOnly = true }
      #expect(try dogs(reader) == 2)
      #expect(try folder.allBytes() == before)
      // The next writer recovers it.
      try folder.save("Bella")
      #expect(try dogs(reader) == 3)
    }
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `a counter reports others' saves, even where the file is read as a copy`() throws {
    let folder = try StoreFolder()
    try folder.save("Rex")
    try folder.leaveLog("Fido", minutes: [5], withIndex: true)
    let reader = try folder.open { $0.isReadOnly = true }
    func number() throws -> Int64 {
      try reader.persistentStoreCoordinator.changeCount(of: reader.persistentStore)
    }
    var seen = try number()
    #expect(try number() == seen)
    for name in ["Bella", "Luna"] {
      try folder.save(name)
      #expect(try number() != seen)
      seen = try number()
    }
  }

  @Test func `no file needed for reading is left behind`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    let before = try folder.allBytes()
    #expect(try dogs(folder.open { $0.isReadOnly = true }) == 1)
    #expect(try folder.allBytes() == before)
  }

  @Test func `an immutable file can be read in place, without a file beside it`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    let before = try folder.allBytes()
    let reader = try folder.open {
      $0.isReadOnly = true
      $0.isImmutable = true
    }
    #expect(try dogs(reader) == 1)
    #expect(try folder.allBytes() == before)
  }

  @Test func `a log is seen even where the file is declared immutable`() throws {
    let folder = try StoreFolder()
    try folder.leaveLog("Fido", minutes: [5])
    let reader = try folder.open {
      $0.isReadOnly = true
      $0.isImmutable = true
    }
    #expect(try dogs(reader) == 1)
  }

  @Test func `a store with a journal instead of a log is read with SQLite's locks`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    try SQLiteFile(folder.store).execute("PRAGMA journal_mode = DELETE")
    let before = try folder.allBytes()
    let container = try folder.open { $0.isReadOnly = true }
    #expect(try dogs(container) == 1)
    #expect(try folder.allBytes() == before)
  }

  @Test func `a leftover journal is taken into account, and left in place`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    let other = try StoreFolder()
    do {
      let file = try SQLiteFile(folder.store)
      try file.execute(
        """
        PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;
        UPDATE ZDOG SET ZNAME = 'Rex';
        CREATE TABLE rest (a); INSERT INTO rest VALUES (zeroblob(100000));
        """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: folder.store.path + suffix, toPath: other.store.path + suffix)
      }
    }
    let before = try other.allBytes()
    // What was partly written is in the file already.
    #expect(before["DogWalk.sqlite"] != (try folder.allBytes()["DogWalk.sqlite"]))
    let context = try other.open { $0.isReadOnly = true }.newBackgroundContext()
    #expect(try context.fetch(Dog.fetchRequest()).map(\.name) == ["Fido"])
    #expect(try other.allBytes() == before)
  }

  @Test func `a path with the characters of a URI is a path`() throws {
    let folder = try StoreFolder(named: "a?b#c%20d ü.sqlite")
    try folder.save("Fido")
    let container = try folder.open { $0.isReadOnly = true }
    #expect(try container.newBackgroundContext().count(for: Dog.fetchRequest()) == 1)
  }
}

extension ManagedObject {
  /// The members of a to-many that was not read.
  func loadedMembers(of toMany: EntityBinding.ToMany) -> [ManagedObject] {
    loaded(toMany)
    return lists.toManys[toMany.number].members
  }

  /// Every value and relationship, by name.
  var everything: String {
    let binding = _entity.binding
    var parts = ["\(objectID)"]
    for (name, slot) in binding.slotsByName.sorted(by: { $0.key < $1.key })
    where slot < binding.storedSlotCount && !binding.slots[slot].isDerived {
      if case .attribute(let attribute) = binding.slots[slot] {
        parts.append("\(name): \(row.value(at: slot, type: attribute.type).map { "\($0)" } ?? "-")")
      } else {
        let object = toOne(slot)
        parts.append("\(name): \(object.map { "\($0.objectID)" } ?? "-")")
      }
    }
    for toMany in binding.toManys {
      let members = loadedMembers(of: toMany).map { "\($0.objectID)" }
      let shown = toMany.description.isOrdered ? members : members.sorted()
      parts.append("\(toMany.description.name): [\(shown.joined(separator: ", "))]")
    }
    return parts.joined(separator: "; ")
  }
}
