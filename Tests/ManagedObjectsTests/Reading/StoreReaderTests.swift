import DataModel
import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

@Suite struct `A store reader` {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `returns rows by primary key, with their values`() throws {
    try folder.save("Fido", minutes: [5, 3])
    let walks = try entity("Walk")
    let duration = try place(of: "duration", in: walks)

    let rows = try walks.rows()
    var found: [(Int64, StoredValue?)] = []
    while try rows.next() { found.append((rows.reference.primaryKey, rows.value(of: duration))) }

    #expect(found.map(\.0) == [1, 2])
    #expect(found.map(\.1) == [.real(300), .real(180)])
    #expect(try walks.count() == 2)
  }

  @Test func `returns members in the relationship's order`() throws {
    try folder.save("Fido", minutes: [1, 2, 3])
    let context = try folder.open().newBackgroundContext()
    let dog = try #require(try context.fetch(Dog.fetchRequest()).first)
    dog.walks = dog.walks.reversed().reduce(into: []) { $0.append($1) }
    try context.save()

    let dogs = try entity("Dog")
    let rows = try dogs.rows()
    #expect(try rows.next())
    var members: [StoredReference] = []
    try rows.forEachMember(of: 0) { members.append($0) }

    #expect(dogs.relationships.map(\.name) == ["walks"])
    let keys: [Int64] = [3, 2, 1]
    #expect(members == keys.map { StoredReference(entityName: "Walk", primaryKey: $0) })
  }

  @Test func `follows a to-one to its row`() throws {
    try folder.save("Fido", minutes: [1])
    let walks = try entity("Walk")
    let rows = try walks.rows()
    #expect(try rows.next())
    #expect(rows.destination(of: 0) == StoredReference(entityName: "Dog", primaryKey: 1))
  }

  @Test func `sees nothing that is saved after it was made`() throws {
    try folder.save("Fido", minutes: [1])
    // Held open, so that there is a log and its index.
    let writer = try folder.open()
    let reader = try StoreReader(contentsOf: folder.store)
    let before = try reader.entities(of: .dogWalk).map { try $0.count() }

    let context = writer.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()

    #expect(try reader.entities(of: .dogWalk).map { try $0.count() } == before)
  }

  @Test(arguments: [true, false])
  func `reads a leftover log, and leaves it in place`(hasIndex: Bool) throws {
    try folder.leaveLog("Fido", minutes: [1, 2], withIndex: hasIndex)
    let before = try folder.allBytes()
    #expect(try entity("Walk").count() == 2)
    #expect(try folder.allBytes() == before)
  }

  @Test func `refuses a file that is not a store`() throws {
    #expect { try StoreReader(contentsOf: folder.store) } throws: { error in
      if case .fileNotFound? = error as? PersistentStoreError { true } else { false }
    }
  }

  private func entity(_ name: String) throws -> StoredEntity {
    let reader = try StoreReader(contentsOf: folder.store)
    return try #require(try reader.entities(of: .dogWalk).first { $0.name == name })
  }

  private func place(of attribute: String, in entity: StoredEntity) throws -> Int {
    try #require(entity.attributes.firstIndex { $0.name == attribute })
  }
}
