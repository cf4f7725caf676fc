import Foundation
import TestSupport

@testable import ManagedObjects

/// A random model: inheritance, relationships of every form, attributes of every type.
struct RandomModel {
  let model: ManagedObjectModel
  let values: [AttributeDescription.AttributeType: [AttributeValue]] = [
    .integer64: [-1, 0, 1, 2, 3, .max].map { .integer($0) },
    .double: [-0.5, 0, 0.1, 0.2, 1, 2.5].map { .double($0) },
    .boolean: [.boolean(false), .boolean(true)],
    .string: ["", "a", "A", "ä", "ab", "AÄ", "a*", "🐕", "a\(Stack.nul)b"].map { .string($0) },
    .date: [0, 1, 2, 0.5].map { .date(Date(timeIntervalSinceReferenceDate: $0)) },
    .decimal: ["0", "1", "2", "0.1"].map { .decimal(Decimal(string: $0)!) },
    .uuid: ["00", "FF"].map { .uuid(UUID(uuidString: "\($0)000000-0000-0000-0000-000000000000")!) },
    .binaryData: [Data(), Data([0]), Data([1, 2])].map { .binary($0) },
    .uri: ["x:1", "x:2"].map { .uri(URL(string: $0)!) },
  ]
  static let types: [AttributeDescription.AttributeType] = [
    .integer64, .double, .boolean, .string, .string, .date, .decimal, .uuid, .binaryData, .uri,
  ]

  /// Uses a given model.
  init(model: ManagedObjectModel) { self.model = model }

  init(_ random: inout SeededGenerator) {
    // C and D are B's subentities, so they share its table.
    let names = ["A", "B", "C", "D"]
    var properties: [String: [PropertyDescription]] = [:]
    var count = 0
    func name(_ letter: String) -> String {
      count += 1
      return "\(letter)\(count)"
    }
    properties["A"] = [.attribute(.init(name: "n", type: .integer64, isOptional: true))]
    properties["B"] = [.attribute(.init(name: "n", type: .integer64, isOptional: true))]
    for entity in names {
      for _ in 0..<Int.random(in: 2...4, using: &random) {
        let type = Self.types.randomElement(using: &random)!
        var attribute = AttributeDescription(name: name("a"), type: type, isOptional: true)
        attribute.allowsExternalBinaryDataStorage = type == .binaryData
        properties[entity, default: []].append(.attribute(attribute))
      }
    }
    for form in 0..<8 {
      let (owner, member) = (
        names.randomElement(using: &random)!, names.randomElement(using: &random)!
      )
      let (there, back) = (name("r"), name("r"))
      func end(_ name: String, _ destination: String, _ inverse: String?, toMany: Bool)
        -> PropertyDescription
      {
        .relationship(
          .init(
            name: name, destinationEntityName: destination, inverseName: inverse,
            isOptional: true, maxCount: toMany ? 0 : 1,
            isOrdered: toMany && Bool.random(using: &random)))
      }
      let hasInverse = form % 4 != 3
      properties[owner, default: []].append(
        end(there, member, hasInverse ? back : nil, toMany: form != 0))
      guard hasInverse else { continue }
      properties[member, default: []].append(end(back, owner, there, toMany: form % 4 == 2))
    }
    model = ManagedObjectModel(
      entities: names.map { name in
        EntityDescription(
          name: name, superentityName: name == "C" || name == "D" ? "B" : nil,
          properties: properties[name] ?? [])
      })
  }
}

/// Objects of a random model, and changes of them: the same for the same generator.
struct RandomObjects {
  let context: ManagedObjectContext
  let model: RandomModel
  /// Where new objects go; nil for the only store.
  var store: PersistentStore?
  /// The number at which the objects' numbers begin.
  var firstNumber = 1
  private(set) var objects: [ManagedObject] = []

  /// The same objects in a child of the context, to be changed there.
  func inChild() -> RandomObjects {
    let child = ManagedObjectContext(parent: context)
    var twins = RandomObjects(context: child, model: model)
    twins.objects = objects.map { child.object(with: $0.objectID) }
    return twins
  }

  mutating func insert(_ random: inout SeededGenerator) {
    let entity = model.model.entities.randomElement(using: &random)!
    let object = ManagedObject(entity: entity, insertInto: context)
    if let store { context.assign(object, to: store) }
    objects.append(object)
    set(
      .integer(Int64(firstNumber + objects.count - 1)), object._entity.binding.slotsByName["n"]!,
      of: object)
    for slot in object._entity.binding.slots.indices { change(slot, of: object, &random) }
    for _ in 0..<3 { relate(object, &random) }
  }

  /// The numbers of objects, in the order of these.
  static func numbers(_ objects: [ManagedObject]) -> [Int64] {
    objects.map { $0.row.integer($0._entity.binding.slotsByName["n"]!) }.sorted()
  }

  mutating func change(_ random: inout SeededGenerator) {
    guard let object = objects.randomElement(using: &random) else { return insert(&random) }
    guard object.exists else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: insert(&random)
    case 1: context.delete(object)
    case 2...6: relate(object, &random)
    default:
      let slots = object._entity.binding.slots.indices
      change(slots.randomElement(using: &random)!, of: object, &random)
    }
  }

  private func change(_ slot: Int, of object: ManagedObject, _ random: inout SeededGenerator) {
    guard case .attribute(let attribute) = object._entity.binding.slots[slot],
      attribute.name != "n"
    else { return }
    let value = model.values[attribute.type]!.randomElement(using: &random)!
    set(Int.random(in: 0..<4, using: &random) == 0 ? nil : value, slot, of: object)
  }

  private func set(_ value: AttributeValue?, _ slot: Int, of object: ManagedObject) {
    let binding = object._entity.binding
    object._prepareForChange()
    object._slots =
      object.row.setting(value, at: slot, kinds: binding.kinds, tailSlots: binding.tailSlots).slots
  }

  private func relate(_ object: ManagedObject, _ random: inout SeededGenerator) {
    let binding = object._entity.binding
    let place = Int.random(in: 0...(binding.toOnes.count + binding.toManys.count), using: &random)
    func other(_ destination: Int) -> ManagedObject? {
      let family = context.binding(at: destination).family
      return objects.filter {
        family.contains($0._entity.binding.index) && $0.exists
      }.randomElement(using: &random)
    }
    if place < binding.toOnes.count {
      let toOne = binding.toOnes[place]
      object.setToOne(other(toOne.destination), slot: toOne.slot)
    } else if place < binding.toOnes.count + binding.toManys.count {
      let toMany = binding.toManys[place - binding.toOnes.count]
      guard let member = other(toMany.destination) else { return }
      if Int.random(in: 0..<4, using: &random) == 0 {
        object.unlink(member, toMany)
      } else {
        object.link(member, toMany)
      }
    }
  }
}

extension ManagedObject {
  /// Whether the object is not deleted; `isDeleted` is false for one that was never saved.
  fileprivate var exists: Bool { _state.isDisjoint(with: [.deleted, .detached]) }
}
