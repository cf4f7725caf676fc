import Foundation
import Testing

@testable import ManagedObjects

/// The values of a store's objects, by entity and primary key.
struct StoreSnapshot: Equatable {
  struct Key: Hashable, CustomStringConvertible {
    let entity: String
    let key: Int64

    var description: String { "\(entity)/\(key)" }
  }

  /// Values as text, objects by their primary keys; sorted where they have no order.
  private(set) var objects: [Key: [String: [String]]] = [:]

  init(of context: ManagedObjectContext) throws {
    for entity in context.persistentStoreCoordinator.managedObjectModel.entities {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request) {
        objects[Key(entity: entity.name, key: object._key)] = Self.values(of: object)
      }
    }
  }

  private static func values(of object: ManagedObject) -> [String: [String]] {
    let binding = object._entity.binding
    var values: [String: [String]] = [:]
    for (name, slot) in binding.slotsByName where slot < binding.storedSlotCount {
      if case .attribute(let attribute) = binding.slots[slot] {
        let value = object.row.value(at: slot, type: attribute.type)
        if case .binary(let data)? = value {
          values[name] = ["\(data.count): \(data.prefix(20).map { $0 })"]
        } else {
          values[name] = value.map { ["\($0)"] } ?? []
        }
      } else {
        values[name] = object.toOne(slot).map { ["\($0._key)"] } ?? []
      }
    }
    for toMany in binding.toManys where !toMany.description.isTransient {
      let keys = object.loadedMembers(of: toMany).map { "\($0._key)" }
      values[toMany.description.name] = toMany.description.isOrdered ? keys : keys.sorted()
    }
    return values
  }
}

extension StoreFolder {
  /// Makes a store of a model, with what a body makes in it, and closes it.
  func fill(
    _ model: ManagedObjectModel, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    let context = try open(model).newBackgroundContext()
    try body(context)
    try context.save()
  }

  /// Migrates the store, and checks the result.
  @discardableResult
  func migrate(
    to model: ManagedObjectModel, from sources: [ManagedObjectModel] = [],
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> MigrationResult? {
    var options = PersistentStoreOptions()
    change(&options)
    let result = try PersistentStoreCoordinator.migrateStore(
      at: store, to: model, from: sources, options: options)
    let faults = try PersistentStoreCoordinator.problems(ofStoreAt: store, model: model)
    #expect(faults.map(\.description) == [])
    return result
  }

  /// The values of the store's objects.
  func snapshot(_ model: ManagedObjectModel) throws -> StoreSnapshot {
    try StoreSnapshot(of: open(model).newBackgroundContext())
  }
}
