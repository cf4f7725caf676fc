import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Predicates from Swift's key paths.
@Suite struct KeyPathPredicateTests {
  @Test func `a key path's properties are found`() throws {
    let start = Date(timeIntervalSinceReferenceDate: 5)
    let predicates: [(FetchPredicate, String)] = [
      (\Walk.date > start, "date > %@"), (\Walk.dog?.name == "Fido", "dog.name == 'Fido'"),
      (\Walk.duration <= 1800, "duration <= 1800.0"), (\Walk.duration < 5, "duration < 5.0"),
      (\Walk.note == nil, "note == NULL"), (\Walk.note != "x", "note != 'x'"),
      (\Walk.peeCount >= 2, "peeCount >= 2"), (\Walk.isOngoing == true, "isOngoing == TRUE"),
      (\Dog.nameKey == "fido", "nameKey == 'fido'"), (\Dog.name != "x", "name != 'x'"),
      (\Walk.dog == nil, "dog == NULL"), (\Walk.dog != nil, "dog != NULL"),
      (\Animal.owner?.favourite?.owner?.name == "Ann", "owner.favourite.owner.name == 'Ann'"),
    ]
    for (predicate, format) in predicates {
      let arguments: [(any FetchPredicateArgument)?] = format.contains("%@") ? [start] : []
      #expect(predicate == (try FetchPredicate(format: format, argumentArray: arguments)))
    }
    #expect(
      (\Walk.date > start && \Walk.dog?.name == "Fido" || !(\Walk.note == nil))
        == (try FetchPredicate(
          format: "(date > %@ AND dog.name == 'Fido') OR NOT note == NULL", start)))
  }

  @Test(arguments: Stack.allTypes)
  func `they find matching objects`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    try stack.dog("Rex", minutes: [40])
    var request = Walk.fetchRequest()
    request.predicate = \Walk.dog?.name == "Fido" && \Walk.duration > 600
    #expect(try stack.context.count(for: request) == 2)
    request.predicate = \Walk.dog == fido
    #expect(try stack.context.count(for: request) == 3)
  }

  @Test func `a value computed from another is refused`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = \Walk.date.timeIntervalSince1970 > 5
    }
    #expect(said("reads a property of the model, not of its value", result))
    await #expect(processExitsWith: .failure) { _ = \Dog.name.isEmpty == true }
  }

  @Test func `the model's fetch requests`() throws {
    let dog = EntityDescription(
      name: "Hund",
      properties: [.attribute(.init(name: "weight", type: .double, isOptional: true))])
    let model = ManagedObjectModel(
      entities: [dog],
      fetchRequestTemplates: [
        "Light": .init(
          entityName: "Hund", predicateFormat: "weight < $WEIGHT", fetchLimit: 3,
          includesSubentities: false),
        "All": .init(entityName: "Hund"),
        "Wrong": .init(entityName: "Hund", predicateFormat: "weight <"),
      ])
    for type in Stack.allTypes {
      let stack = try Stack(type, model: model)
      for weight in [2.0, 4, 8] {
        ManagedObject(entity: dog, insertInto: stack.context)
          .setOptionalValue(weight, at: PropertySlot(-1, "weight"))
      }
      try stack.context.save()
      let light = try #require(
        try model.fetchRequestFromTemplate(withName: "Light", substitutionVariables: ["WEIGHT": 5]))
      #expect(try stack.context.count(for: light) == 2)
      #expect(light.fetchLimit == 3 && !light.includesSubentities)
      let all = try #require(try model.fetchRequestTemplate(forName: "All"))
      #expect(try stack.context.count(for: all) == 3)
      let template = try #require(try model.fetchRequestTemplate(forName: "Light"))
      #expect(throws: PredicateBindingError.self) { try stack.context.count(for: template) }
    }
    #expect(try model.fetchRequestTemplate(forName: "None").map { _ in 1 } == nil)
    #expect(throws: PredicateFormatError.self) { try model.fetchRequestTemplate(forName: "Wrong") }
  }

  @Test(arguments: Stack.allTypes)
  func `a template defines what is fetched, and how`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Hund",
          properties: [.attribute(.init(name: "weight", type: .double, isOptional: true))])
      ],
      fetchRequestTemplates: [
        "Objects": .init(
          entityName: "Hund", predicateFormat: "weight > 3", fetchBatchSize: 7,
          includesPropertyValues: false, includesPendingChanges: false),
        "IDs": .init(entityName: "Hund", fetchLimit: 2, resultType: .managedObjectID),
        "Weights": .init(
          entityName: "Hund", resultType: .dictionary, returnsDistinctResults: true),
        "Count": .init(entityName: "Hund", resultType: .count),
      ])
    let stack = try Stack(type, model: model)
    for weight in [2.0, 4, 4] {
      ManagedObject(entity: model.entities[0], insertInto: stack.context)
        .setOptionalValue(weight, at: PropertySlot(-1, "weight"))
    }
    try stack.context.save()
    func template(_ name: String) throws -> FetchRequest<ManagedObject> {
      try #require(try model.fetchRequestTemplate(forName: name))
    }
    let objects = try template("Objects")
    #expect(objects.fetchBatchSize == 7)
    #expect(!objects.includesPropertyValues && !objects.includesPendingChanges)
    guard case .objects(let found) = try stack.context.execute(objects),
      case .objectIDs(let ids) = try stack.context.execute(template("IDs")),
      case .dictionaries(let rows) = try stack.context.execute(template("Weights")),
      case .count(let count) = try stack.context.execute(template("Count"))
    else {
      Issue.record("A template gave something else than its result type says.")
      return
    }
    #expect(found.count == 2 && ids.count == 2 && count == 3)
    #expect(rows == [["weight": .double(2)], ["weight": .double(4)]])
  }
}
