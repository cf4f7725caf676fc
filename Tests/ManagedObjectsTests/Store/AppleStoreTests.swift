import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores that Apple's framework wrote, opened with their models, which are compiled now.
///
/// Bookmarks V4 and V5, TestModel and the later stores of Moody have many-to-many relationships,
/// Moody and Sample V1 transformable attributes; those cannot be stored yet.
@Suite(
  .enabled(
    if: AppleStore.areThere && StoreChecker.isAvailable, "../shared or python3 is missing"))
struct AppleStoreTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder(named: "Apple.sqlite") }

  @Test(arguments: AppleStore.supported)
  func `every row is read as the independent reader reads it`(store: AppleStore) throws {
    try store.copy(to: folder)
    let wanted = try StoreDump.normalised(StoreChecker.dump(folder.store, as: store.modelURL))
    let found = try StoreDump.json(of: folder.open(store.model()))
    #expect(String(decoding: found, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    #expect(found.count > 500)
  }

  @Test(arguments: AppleStore.supported)
  func `reading leaves every byte unchanged`(store: AppleStore) throws {
    try store.copy(to: folder)
    let before = try folder.bytes()
    _ = try StoreDump.json(of: folder.open(store.model()) { $0.isReadOnly = true })
    #expect(try folder.bytes() == before)
  }

  @Test(arguments: AppleStore.supported)
  func `a changed store is still as Core Data would make it`(store: AppleStore) throws {
    try store.copy(to: folder)
    let model = try store.model()
    try change(folder.open(model).newBackgroundContext(), model)
    let verdict = try StoreChecker.check(folder.store, against: store.modelURL)
    #expect(verdict == "0 differences, \(model.entities.count) entities\n")
    let wanted = try StoreDump.normalised(StoreChecker.dump(folder.store, as: store.modelURL))
    let found = try StoreDump.json(of: folder.open(model))
    #expect(String(decoding: found, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
  }

  /// Inserts an object of every entity, changes the first one's texts and deletes the last one.
  private func change(_ context: ManagedObjectContext, _ model: ManagedObjectModel) throws {
    for entity in model.entities {
      let request = FetchRequest<ManagedObject>(entityName: entity.name)
      let there = try context.fetch(request)
      let new = ManagedObject(entity.name, in: context)
      fill(new)
      if let first = there.first {
        for toMany in first._entity.binding.toManys where there.count > 2 {
          first.insert(new, at: 0, into: PropertySlot(toMany.number, toMany.description.slotName))
        }
        fill(first)
      }
      if there.count > 2 { context.delete(there[there.count - 1]) }
    }
    try context.save()
  }

  /// Gives every attribute a value.
  private func fill(_ object: ManagedObject) {
    for case .attribute(let attribute) in object._entity.binding.slots {
      let slot = object._entity.binding.slotsByName[attribute.name]!
      switch attribute.type {
      case .boolean: object._writeBits(1, slot)
      case .integer16, .integer32, .integer64: object._writeBits(7, slot)
      case .double, .float, .date, .decimal: object._writeBits(1.5.bitPattern, slot)
      case .uuid: UUID()._write(to: object, slot: slot)
      case .binaryData: Data(UUID().uuidString.utf8)._write(to: object, slot: slot)
      default: UUID().uuidString._write(to: object, slot: slot)
      }
    }
  }
}

extension RelationshipDescription {
  /// The name for a `PropertySlot`, of the relationships in these stores.
  fileprivate var slotName: StaticString {
    switch name {
    case "children": "children"
    case "favorites": "favorites"
    default: preconditionFailure("The stores have no relationship \(name).")
    }
  }
}
