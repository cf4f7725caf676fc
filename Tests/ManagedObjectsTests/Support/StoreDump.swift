import DataModel
import Foundation

@testable import ManagedObjects

/// Everything that a context sees of a store, in the form of `dump_store.py`.
enum StoreDump {
  /// The dump as JSON with sorted keys.
  static func json(of container: PersistentContainer) throws -> Data {
    let context = container.newBackgroundContext()
    let model = container.managedObjectModel
    let entities: [[String: Any]] = try model.entitiesInNumberOrder.map { entity in
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      let objects = try context.fetch(request).sorted { $0._key < $1._key }
      return [
        "name": entity.name, "count": objects.count,
        "objects": objects.map { object(from: $0, model: model) },
      ]
    }
    return try sorted(["uuid": container.persistentStore.identifier, "entities": entities])
  }

  /// Another program's JSON, normalized to the same form.
  static func normalised(_ json: Data) throws -> Data {
    try sorted(try JSONSerialization.jsonObject(with: json))
  }

  private static func sorted(_ object: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted])
  }

  private static func object(
    from object: ManagedObject, model: ManagedObjectModel
  ) -> [String: Any] {
    let binding = object._entity.binding
    let row = object.row
    var attributes: [String: Any] = [:]
    for case (let slot, .attribute(let attribute)) in binding.slots.enumerated()
    where slot < binding.storedSlotCount {
      attributes[attribute.name] =
        row.value(at: slot, type: attribute.type).map(Self.value) ?? NSNull()
    }
    var relationships: [String: Any] = [:]
    for toOne in binding.toOnes {
      relationships[toOne.description.name] =
        object.toOne(toOne.slot).map { $0.objectID.description } ?? NSNull()
    }
    for toMany in binding.toManys {
      object.loaded(toMany)
      relationships[toMany.description.name] = object.lists.toManys[toMany.number].members
        .map { $0.objectID.description }
    }
    return [
      "id": object.objectID.description, "attributes": attributes, "relationships": relationships,
    ]
  }

  private static func value(_ value: AttributeValue) -> Any {
    switch value {
    case .integer(let number): number
    case .double(let number): whole(number)
    case .decimal(let number): whole(Double(number.description) ?? 0)
    case .boolean(let flag): flag
    case .string(let text): text
    case .date(let date): whole(date.timeIntervalSinceReferenceDate)
    case .binary(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    }
  }

  /// A whole number without a point, as the other program writes it.
  private static func whole(_ number: Double) -> Any {
    number.rounded() == number && abs(number) < 9e15 ? Int64(number) : number
  }
}
