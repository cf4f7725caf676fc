import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// What section names are made from.
@Suite struct SectionNameTests {
  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "House",
        properties: [
          .value("number", .integer16), .toOne("neighbour", "House"), .toOne("street", "Street"),
          .value("mood", .undefined, isTransient: true),
          .attribute(
            AttributeDescription(
              name: "address", type: .composite, isOptional: true,
              elements: [AttributeDescription(name: "city", type: .string, isOptional: true)])),
        ]),
      EntityDescription(name: "Street", properties: [.value("name", .string)]),
    ], classes: ["House": House.self])

  /// A house that answers keys that its entity does not have.
  final class House: ManagedObject {
    override func value(forUndefinedKey key: String) -> Any? {
      switch key {
      case "side": (value(forKey: "number") as? Int16).map { $0 % 2 == 0 ? "even" : "odd" }
      case "tenth": (value(forKey: "number") as? Int16).map { Float($0) / 10 }
      case "next": value(forKey: "neighbour")
      case "streetName": value(forKeyPath: "street.name")
      default: super.value(forUndefinedKey: key)
      }
    }
  }

  /// A saved house.
  @discardableResult
  private func house(_ number: Int, _ city: String? = nil, in stack: Stack) throws -> House {
    let house = House(context: stack.context)
    house.setValue(number, forKey: "number")
    house.setValue(city, forKeyPath: "address.city")
    try stack.context.save()
    return house
  }

  /// Houses in sections, in the order of the section names' values, and of their numbers.
  private func controller(
    by keyPath: String, sortedBy key: String? = nil, in context: ManagedObjectContext
  ) throws -> FetchedResultsController<House> {
    var request = House.fetchRequest()
    request.sortDescriptors = [.init(key: key ?? "number"), .init(key: "number")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: keyPath)
    try controller.performFetch()
    return controller
  }

  private func names(_ controller: FetchedResultsController<House>) -> [String] {
    controller.sections.map { section in
      let numbers = section.objects.map { "\($0.value(forKey: "number") as? Int16 ?? 0)" }
      return "\(section.name) \(numbers.joined(separator: ","))"
    }
  }

  @Test(arguments: Stack.allTypes)
  func `an element of a composite names sections`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let one = try house(1, "Ulm", in: stack)
    try house(2, "Bonn", in: stack)
    try house(3, "Ulm", in: stack)
    let controller = try controller(
      by: "address.city", sortedBy: "address.city", in: stack.context)
    #expect(names(controller) == ["Bonn 2", "Ulm 1,3"])
    one.setValue("Bonn", forKeyPath: "address.city")
    stack.context.processPendingChanges()
    #expect(names(controller) == ["Bonn 1,2", "Ulm 3"])
    #expect(controller.fetchCount == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `so does one behind a to-one`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let one = try house(1, "Ulm", in: stack)
    let two = try house(2, in: stack)
    two.setValue(one, forKey: "neighbour")
    try stack.context.save()
    let path = "neighbour.address.city"
    let controller = try controller(by: path, sortedBy: path, in: stack.context)
    #expect(names(controller) == [" 1", "Ulm 2"])
    one.setValue("Bonn", forKeyPath: "address.city")
    stack.context.processPendingChanges()
    #expect(names(controller) == [" 1", "Bonn 2"])
  }

  @Test(arguments: Stack.allTypes)
  func `a key that the class answers names sections`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let one = try house(1, "Ulm", in: stack)
    let two = try house(2, "Bonn", in: stack)
    try house(4, in: stack)
    two.setValue(one, forKey: "neighbour")
    try stack.context.save()
    let sides = try controller(by: "side", in: stack.context)
    #expect(names(sides) == ["odd 1", "even 2,4"])
    let tenths = try controller(by: "tenth", in: stack.context)
    #expect(names(tenths) == ["0.1 1", "0.2 2", "0.4 4"])
    let cities = try controller(by: "next.address.city", in: stack.context)
    #expect(names(cities) == [" 1,4", "Ulm 2"])
    let others = try controller(by: "neighbour.side", in: stack.context)
    #expect(names(others) == [" 1,4", "odd 2"])
    one.setValue(6, forKey: "number")
    stack.context.processPendingChanges()
    #expect(names(sides) == ["even 2,4,6"])
  }

  @Test(arguments: Stack.allTypes)
  func `the class may compute it from another object`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let street = ManagedObject("Street", in: stack.context)
    street.setValue("Elm Street", forKey: "name")
    try house(1, in: stack).setValue(street, forKey: "street")
    let controller = try controller(by: "streetName", in: stack.context)
    #expect(names(controller) == ["Elm Street 1"])
    try stack.context.save()
    street.setValue("Oak Street", forKey: "name")
    stack.context.processPendingChanges()
    #expect(names(controller) == ["Oak Street 1"])
  }

  @Test func `sections named by the class are not cached`() throws {
    let stack = try Stack(model: Self.model)
    let caches = try TemporaryFolder()
    try house(1, in: stack)
    // A change of this moment would not be cached anyway.
    usleep(40_000)
    for _ in 0..<2 {
      let controller = FetchedResultsController(
        fetchRequest: House.fetchRequest(), managedObjectContext: stack.anotherContext(),
        sectionNameKeyPath: "side", cacheName: "houses")
      controller.cacheFolder = caches.url
      try controller.performFetch()
      #expect(names(controller) == ["odd 1"] && controller.fetchCount == 1)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a transient value without a type names sections`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let one = try house(1, in: stack)
    try house(2, in: stack)
    one.setValue("sunny", forKey: "mood")
    let controller = try controller(by: "mood", in: stack.context)
    #expect(names(controller) == ["sunny 1", " 2"])
  }

  @Test(arguments: Stack.allTypes)
  func `numbers are written as their own type, and integers without a fraction`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let numbers: [(single: Float, real: Double)] = [(0.1, 4), (2, 0.5), (-3, 1e20)]
    for (index, number) in numbers.enumerated() {
      let sample = Sample(context: stack.context)
      (sample.short, sample.single, sample.real) = (Int16(index), number.single, number.real)
    }
    try stack.context.save()
    func names(_ key: String) throws -> [String] {
      var request = Sample.fetchRequest()
      request.sortDescriptors = [.init(key: "short")]
      let controller = FetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: key)
      try controller.performFetch()
      return controller.sections.map(\.name)
    }
    #expect(try names("single") == ["0.1", "2", "-3"])
    #expect(try names("real") == ["4", "0.5", "1e+20"])
    #expect(try names("short") == ["0", "1", "2"])
  }
}
