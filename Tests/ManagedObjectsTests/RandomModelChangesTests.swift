import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import ManagedObjects

/// Random work on stores of other applications' models, guided by the model alone.
@Suite(.enabled(if: !FixtureModel.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct RandomModelChangesTests {
  @Test(arguments: FixtureModel.all.filter { $0.contents != nil } + FixtureModel.others)
  func `a thousand random changes of a new store leave it free of faults`(
    fixture: FixtureModel
  ) throws {
    let folder = try StoreFolder()
    let verdict = "0 differences, \(fixture.model.entities.count) entities\n"
    try Self.work(1_000, on: folder, model: fixture, verdict: verdict) { _ in }
  }

  @Test(arguments: Fixture.all)
  func `a thousand random changes of a real store leave it free of faults`(
    fixture: Fixture
  ) throws {
    let folder = try fixture.copy()
    // Since a migration one of them has an entity under its old name, which the checker reports.
    let verdict = try fixture.model.contents.map {
      try StoreChecker.check(fixture.url, against: $0)
    }
    try Self.work(1_000, on: folder, model: fixture.model, verdict: verdict) {
      $0.ignoredObstacles = [.derivedAttributes, .persistentHistory]
    }
  }

  private static func work(
    _ steps: Int, on folder: StoreFolder, model: FixtureModel, verdict: String?,
    options: (inout PersistentStoreOptions) -> Void
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let container = try folder.open(model.model, options)
    let context = container.newBackgroundContext()
    var work = RandomModelWork(context: context, model: model.model)
    for step in 0..<steps {
      work.step(&random)
      if step % 20 == 19 { work.save() }
    }
    work.save()
    let kept = try ReadOnlyStoreTests.contents(of: context, model.model)
    let reread = try ReadOnlyStoreTests.contents(
      of: try folder.open(model.model, options).newBackgroundContext(), model.model)
    #expect(kept == reread, "seed \(seed)")
    #expect(work.saves > 10, "most saves must go through: seed \(seed)")
    guard let contents = model.contents else { return }
    let found = try StoreChecker.check(folder.store, against: contents)
    #expect(found == verdict, "seed \(seed)")
  }
}

/// Random steps that any model allows, through plain managed objects.
struct RandomModelWork {
  let context: ManagedObjectContext
  let model: ManagedObjectModel
  /// How many saves succeeded.
  private(set) var saves = 0
  private var count = 0

  init(context: ManagedObjectContext, model: ManagedObjectModel) {
    self.context = context
    self.model = model
  }

  /// Saves; where the model forbids the random changes, repairs or discards them.
  mutating func save() {
    for _ in 0..<20 {
      do {
        try context.save()
        saves += 1
        return
      } catch let error as ValidationError {
        for failure in error.failures {
          if let object = context.registeredObject(for: failure.objectID) { context.delete(object) }
        }
      } catch {
        break
      }
    }
    context.rollback()
  }

  mutating func step(_ random: inout SeededGenerator) {
    count += 1
    let concrete = model.entities.filter { !$0.isAbstract }
    // Every model has an entity with objects.
    let entity = concrete.randomElement(using: &random)!
    let objects = objects(of: entity)
    guard objects.count > 8, let object = objects.randomElement(using: &random) else {
      insert(entity, &random)
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: insert(entity, &random)
    case 2 where objects.count > 12: context.delete(object)
    case 3, 4, 5: changeAttribute(of: object, &random)
    default: changeRelationship(of: object, &random)
    }
  }

  private func objects(of entity: EntityDescription) -> [ManagedObject] {
    let request = FetchRequest<ManagedObject>(entityName: entity.name)
    return ((try? context.fetch(request)) ?? []).sorted { $0._key < $1._key }
  }

  /// Inserts an object with its required members.
  @discardableResult
  private mutating func insert(
    _ entity: EntityDescription, _ random: inout SeededGenerator, depth: Int = 0
  ) -> ManagedObject {
    let object = ManagedObject(entity: entity, insertInto: context)
    for toMany in object._entity.binding.toManys
    where !toMany.description.isOptional && depth < 3 {
      let family = context.binding(at: toMany.destination).family
        .map { context.binding(at: $0).description }
      guard let entity = family.filter({ !$0.isAbstract }).randomElement(using: &random) else {
        continue
      }
      object.link(insert(entity, &random, depth: depth + 1), toMany)
    }
    for slot in object._entity.binding.kinds.indices { setAttribute(slot, of: object, &random) }
    for toOne in object._entity.binding.toOnes
    where !toOne.description.isOptional && depth == 0 {
      let destination = context.binding(at: toOne.destination).description
      object.setToOne(objects(of: destination).randomElement(using: &random), slot: toOne.slot)
    }
    return object
  }

  private mutating func changeAttribute(
    of object: ManagedObject, _ random: inout SeededGenerator
  ) {
    setAttribute(
      object._entity.binding.kinds.indices.randomElement(using: &random) ?? 0, of: object, &random)
  }

  private mutating func setAttribute(
    _ slot: Int, of object: ManagedObject, _ random: inout SeededGenerator
  ) {
    let binding = object._entity.binding
    guard binding.slots.indices.contains(slot),
      case .attribute(let attribute) = binding.slots[slot], !attribute.isDerived
    else { return }
    count += 1
    let isNothing = attribute.isOptional && Int.random(in: 0..<5, using: &random) == 0
    object._prepareForChange()
    object._slots =
      object.row.setting(
        isNothing ? nil : value(attribute.type), at: slot, kinds: binding.kinds,
        tailSlots: binding.tailSlots
      ).slots
  }

  /// A value that has not occurred before, so that unique constraints hold.
  private func value(_ type: AttributeDescription.AttributeType) -> AttributeValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(count))
    case .boolean: .boolean(count % 2 == 0)
    case .double, .float: .double(Double(count) / 4)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(count) / 2))
    case .decimal: .decimal(Decimal(count) / 8)
    case .string: .string("text \(count) ü")
    // The text is a URL.
    case .uri: .uri(URL(string: "https://example.org/\(count)")!)
    case .uuid: .uuid(UUID())
    default: .binary(Data("bytes \(count)".utf8))
    }
  }

  private mutating func changeRelationship(
    of object: ManagedObject, _ random: inout SeededGenerator
  ) {
    let binding = object._entity.binding
    let places = binding.toOnes.count + binding.toManys.count
    guard places > 0 else { return changeAttribute(of: object, &random) }
    let place = Int.random(in: 0..<places, using: &random)
    guard place >= binding.toOnes.count else {
      let toOne = binding.toOnes[place]
      let candidates = objects(of: context.binding(at: toOne.destination).description)
      let isNothing = toOne.description.isOptional && Int.random(in: 0..<4, using: &random) == 0
      return object.setToOne(
        isNothing ? nil : candidates.randomElement(using: &random), slot: toOne.slot)
    }
    changeToMany(binding.toManys[place - binding.toOnes.count], of: object, &random)
  }

  private func changeToMany(
    _ toMany: EntityBinding.ToMany, of object: ManagedObject, _ random: inout SeededGenerator
  ) {
    let destination = context.binding(at: toMany.destination).description
    guard let other = objects(of: destination).randomElement(using: &random) else { return }
    // Objects deleted under the rule No Action remain members until the save.
    var members = object.loadedMembers(of: toMany).filter { !$0.isDeleted }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: object.link(other, toMany)
    case 1: object.unlink(other, toMany)
    case 2 where toMany.description.isOrdered && !members.contains(other):
      object.link(other, toMany, at: Int.random(in: 0...members.count, using: &random))
    default:
      members.shuffle(using: &random)
      object.replaceAll(of: toMany, with: members)
    }
  }
}
