import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random changes of relationships of every form, compared with lists of numbers.
@Suite struct RandomRelationshipTests {
  @Test(arguments: Stack.allTypes)
  func `both sides of every relationship agree with plain lists, unsaved, saved and refetched`(
    type: PersistentStore.StoreType
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let work = try RelationshipWork(type)
    for step in 0..<2_000 {
      try work.step(&random)
      // Not after every step, so that many changes are made to unread lists.
      if Int.random(in: 0..<6, using: &random) == 0, let difference = work.difference() {
        Issue.record("step \(step), seed \(seed): \(difference)")
        return
      }
    }
    try work.save(readingAnew: true)
    #expect(work.difference() == nil, "seed \(seed)")
  }
}

/// A relationship and its inverse as lists of numbers.
struct PlainRelationship {
  let name: String
  /// The inverse relationship; its own name where it is its own inverse, nil for none.
  let inverse: String?
  let isMany: Bool
  let isInverseMany: Bool
  let isOrdered: Bool
  let isInverseOrdered: Bool
  private(set) var forward: [Int: [Int]] = [:]
  private(set) var backward: [Int: [Int]] = [:]

  var isItsOwnInverse: Bool { name == inverse }

  init(
    _ name: String, _ inverse: String?, isMany: Bool = false, isInverseMany: Bool = false,
    isOrdered: Bool = false, isInverseOrdered: Bool = false
  ) {
    self.name = name
    self.inverse = inverse
    self.isMany = isMany
    self.isInverseMany = isInverseMany
    self.isOrdered = isOrdered
    self.isInverseOrdered = isInverseOrdered
  }

  func targets(of one: Int) -> [Int] { forward[one] ?? [] }
  func sources(of one: Int) -> [Int] { backward[one] ?? [] }

  mutating func link(_ one: Int, _ other: Int, at index: Int? = nil) {
    guard !targets(of: one).contains(other) else { return }
    if !isMany { for old in targets(of: one) { unlink(one, old) } }
    if inverse != nil, !isInverseMany {
      for old in isItsOwnInverse ? targets(of: other) : sources(of: other) {
        if isItsOwnInverse { unlink(other, old) } else { unlink(old, other) }
      }
    }
    forward[one, default: []].insert(other, at: index ?? targets(of: one).count)
    if isItsOwnInverse {
      if one != other { forward[other, default: []].append(one) }
    } else {
      backward[other, default: []].append(one)
    }
  }

  mutating func unlink(_ one: Int, _ other: Int) {
    forward[one]?.removeAll { $0 == other }
    if isItsOwnInverse {
      forward[other]?.removeAll { $0 == one }
    } else {
      backward[other]?.removeAll { $0 == one }
    }
  }

  mutating func reorder(_ one: Int, _ others: [Int]) { forward[one] = others }

  mutating func delete(_ one: Int) {
    for other in targets(of: one) { unlink(one, other) }
    for other in sources(of: one) { unlink(other, one) }
  }
}

/// The objects, the lists, and random steps that change both.
final class RelationshipWork {
  static let relationships = [
    PlainRelationship("left", "right"),
    PlainRelationship("twin", "twin"),
    PlainRelationship("favourite", nil, isInverseMany: true),
    PlainRelationship("children", "parent", isMany: true),
    PlainRelationship("items", "owner", isMany: true, isOrdered: true),
    PlainRelationship("later", "earlier", isMany: true, isInverseMany: true),
    PlainRelationship("tags", "tagged", isMany: true, isInverseMany: true, isOrdered: true),
    PlainRelationship(
      "rows", "columns", isMany: true, isInverseMany: true, isOrdered: true, isInverseOrdered: true),
    PlainRelationship("friends", "friends", isMany: true, isInverseMany: true),
    PlainRelationship("links", nil, isMany: true, isInverseMany: true, isOrdered: true),
  ]

  /// Everything is declared by Node and inherited by Leaf, the entity of every other object.
  static let model: ManagedObjectModel = {
    var properties: [PropertyDescription] = [.value("number", .integer64)]
    func add(_ name: String, _ inverse: String?, isMany: Bool, isOrdered: Bool) {
      properties.append(
        .relationship(
          .init(
            name: name, destinationEntityName: "Node", inverseName: inverse, isOptional: true,
            maxCount: isMany ? 0 : 1, isOrdered: isOrdered)))
    }
    for plain in relationships {
      add(plain.name, plain.inverse, isMany: plain.isMany, isOrdered: plain.isOrdered)
      guard let inverse = plain.inverse, !plain.isItsOwnInverse else { continue }
      add(inverse, plain.name, isMany: plain.isInverseMany, isOrdered: plain.isInverseOrdered)
    }
    return ManagedObjectModel(entities: [
      EntityDescription(name: "Node", properties: properties),
      EntityDescription(name: "Leaf", superentityName: "Node"),
    ])
  }()

  let stack: Stack
  private var context: ManagedObjectContext
  private var objects: [Int: ManagedObject] = [:]
  private var plain = relationships
  private var savedPlain = relationships
  private var savedNumbers: Set<Int> = []
  private var nextNumber = 0

  init(_ type: PersistentStore.StoreType) throws {
    stack = try Stack(type, model: Self.model)
    context = stack.context
    for _ in 0..<8 { insert() }
    try save(readingAnew: false)
  }

  private func insert() {
    let object = ManagedObject(nextNumber % 2 == 0 ? "Node" : "Leaf", in: context)
    object.setValue(nextNumber, forKey: "number")
    objects[nextNumber] = object
    nextNumber += 1
  }

  /// Saves; continues in a new context that has read nothing, if requested.
  func save(readingAnew: Bool) throws {
    try context.save()
    savedPlain = plain
    savedNumbers = Set(objects.keys)
    guard readingAnew else { return }
    let ids = objects.mapValues(\.objectID)
    context = stack.anotherContext()
    objects = ids.mapValues { context.object(with: $0) }
  }

  private func rollBack() {
    context.rollback()
    plain = savedPlain
    for (number, object) in objects where object.managedObjectContext == nil {
      objects[number] = nil
    }
    // Deleted ones are restored.
    let request = FetchRequest<ManagedObject>(entityName: "Node")
    let all = (try? context.fetch(request)) ?? []
    objects = Dictionary(
      uniqueKeysWithValues: all.map { (Int($0.value(forKey: "number") as? Int64 ?? -1), $0) })
  }

  func step(_ random: inout SeededGenerator) throws {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: try save(readingAnew: true)
    case 1: try save(readingAnew: false)
    case 2: rollBack()
    case 3, 4: if objects.count < 14 { insert() }
    case 5:
      guard objects.count > 6, let number = someNumber(&random) else { return }
      // Without an inverse it is not known which objects refer there.
      for one in plain[2].sources(of: number) { objects[one]?.setValue(nil, forKey: "favourite") }
      context.delete(objects[number]!)
      objects[number] = nil
      for index in plain.indices { plain[index].delete(number) }
    default: change(&random)
    }
  }

  private func someNumber(_ random: inout SeededGenerator) -> Int? {
    objects.keys.sorted().randomElement(using: &random)
  }

  private func change(_ random: inout SeededGenerator) {
    let index = plain.indices.randomElement(using: &random)!
    guard let one = someNumber(&random), let other = someNumber(&random),
      let source = objects[one], let target = objects[other]
    else { return }
    let name = plain[index].name
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      plain[index].link(one, other)
      if plain[index].isMany {
        source.mutableMembers(name).add(target)
      } else {
        source.setValue(target, forKey: name)
      }
    case 1:
      // From the other end.
      guard let inverse = plain[index].inverse else { return }
      plain[index].link(one, other)
      if plain[index].isInverseMany {
        target.mutableMembers(inverse).add(source)
      } else {
        target.setValue(source, forKey: inverse)
      }
    case 2:
      plain[index].unlink(one, other)
      if plain[index].isMany {
        source.mutableMembers(name).remove(target)
      } else if source.value(forKey: name) as? ManagedObject === target {
        source.setValue(nil, forKey: name)
      }
    default: rearrange(index, one, other, &random)
    }
  }

  /// For to-manys only: members at indexes, another order, all of them replaced.
  private func rearrange(
    _ index: Int, _ one: Int, _ other: Int, _ random: inout SeededGenerator
  ) {
    guard plain[index].isMany, let source = objects[one], let target = objects[other] else {
      return
    }
    let name = plain[index].name
    let now = plain[index].targets(of: one)
    if Bool.random(using: &random) {
      // Some members are removed, some added, all in another order.
      var wanted = now.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      if !wanted.contains(other) { wanted.append(other) }
      wanted.shuffle(using: &random)
      for old in now where !wanted.contains(old) { plain[index].unlink(one, old) }
      for new in wanted { plain[index].link(one, new) }
      plain[index].reorder(one, wanted)
      source.setValue(wanted.map { objects[$0]! }, forKey: name)
    } else if plain[index].isOrdered, !now.contains(other) {
      let place = Int.random(in: 0...now.count, using: &random)
      plain[index].link(one, other, at: place)
      source.mutableOrderedSetValue(forKey: name).insert(target, at: place)
    }
  }

  /// The first difference from the lists.
  func difference() -> String? {
    for relationship in plain {
      for (number, object) in objects {
        let found = object.numbers(relationship.name)
        let wanted = relationship.targets(of: number)
        guard matches(found, wanted, isOrdered: relationship.isOrdered) else {
          return "\(number).\(relationship.name) is \(found), not \(wanted)"
        }
        guard let inverse = relationship.inverse, !relationship.isItsOwnInverse else { continue }
        let back = object.numbers(inverse)
        let sources = relationship.sources(of: number)
        guard matches(back, sources, isOrdered: relationship.isInverseOrdered) else {
          return "\(number).\(inverse) is \(back), not \(sources)"
        }
      }
    }
    return nil
  }

  private func matches(_ found: [Int], _ wanted: [Int], isOrdered: Bool) -> Bool {
    isOrdered ? found == wanted : found.sorted() == wanted.sorted()
  }
}

/// A to-many of either kind.
private protocol Members {
  func add(_ object: ManagedObject)
  func remove(_ object: ManagedObject)
}
extension MutableSet: Members {}
extension MutableOrderedSet: Members {}

extension ManagedObject {
  fileprivate func mutableMembers(_ key: String) -> any Members {
    isOrdered(key)
      ? mutableOrderedSetValue(forKey: key) : mutableSetValue(forKey: key)
  }

  /// Without reading any member.
  private func isOrdered(_ key: String) -> Bool {
    let relationships = RelationshipWork.model.entitiesByName["Node"]?.relationships ?? []
    return relationships.first { $0.name == key }?.isOrdered == true
  }

  /// The numbers of the objects that a relationship leads to.
  fileprivate func numbers(_ key: String) -> [Int] {
    switch value(forKey: key) {
    case let object as ManagedObject: [object.number]
    case let members as Set<ManagedObject>: members.map(\.number)
    case let members as OrderedSet<ManagedObject>: members.map(\.number)
    default: []
    }
  }

  private var number: Int { Int(value(forKey: "number") as? Int64 ?? -1) }
}
