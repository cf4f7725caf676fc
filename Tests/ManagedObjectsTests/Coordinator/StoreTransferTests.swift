import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores moved to other URLs and types, with all their content.
@Suite struct StoreTransferTests {
  private let target: StoreFolder

  init() throws { target = try StoreFolder(named: "New.sqlite") }

  /// Every way from one type to another.
  static let ways: [(PersistentStore.StoreType, PersistentStore.StoreType)] =
    Stack.allTypes.flatMap { from in Stack.allTypes.map { (from, $0) } }

  private func migrate(
    _ stack: Stack, to type: PersistentStore.StoreType
  ) throws -> PersistentStore {
    try stack.container.persistentStoreCoordinator.migratePersistentStore(
      stack.container.persistentStore, to: url(of: type), type: type)
  }

  /// Where a store of a type will be; nil in memory.
  private func url(of type: PersistentStore.StoreType) -> URL? {
    type == .inMemory ? nil : type.place(target.store) ?? target.store
  }

  /// The lengths of Fido's walks, read afresh.
  private func minutes(in stack: Stack) throws -> [Int] {
    let dogs = try stack.reread(Dog.self)
    return try #require(dogs.first { $0.name == "Fido" }).minutes
  }

  @Test(arguments: ways)
  func `values, lists and metadata are transferred`(
    from: PersistentStore.StoreType, to: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(from)
    let fido = try stack.dog("Fido", minutes: [5, 3, 9, 1])
    var walks = fido.walks
    walks.move(fromOffset: 3, toOffset: 0)
    fido.walks = walks
    walks[2].note = "Wet ☂️"
    try stack.dog("Bella", minutes: [7])
    let coordinator = stack.container.persistentStoreCoordinator
    let old = stack.container.persistentStore
    try coordinator.setMetadata(.string("fido"), forKey: "currentDog", of: old)

    let new = try migrate(stack, to: to)
    #expect(coordinator.persistentStores.map { $0 === new } == [true])
    #expect(new.type == to && new.url?.location == url(of: to)?.location)
    #expect(try coordinator.metadata(for: new)["currentDog"] == .string("fido"))
    #expect(try coordinator.metadata(for: new)["NSStoreType"] == .string(to.rawValue))
    if to == .sqlite || to == .postgreSQL { #expect(new.identifier == old.identifier) }
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    #expect(
      Dictionary(uniqueKeysWithValues: dogs.map { ($0.name, $0.minutes) })
        == ["Fido": [1, 5, 3, 9], "Bella": [7]])
    #expect(try Dog.findOrCreate(named: "Fido", in: context).walks[2].note == "Wet ☂️")
    // New objects get keys and order keys of their own.
    try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 8, in: context))
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    #expect(
      try minutes(in: stack) == [1, 5, 3, 9, 8])
    guard to == .sqlite else { return }
    #expect(try coordinator.problems(in: new).isEmpty)
    #expect(try target.contents() == ["Fido": [1, 5, 3, 9, 8], "Bella": [7], "Rex": []])
    if StoreChecker.isAvailable {
      #expect(try StoreChecker.check(target.store) == "0 differences, 5 entities\n")
    }
    if from == .sqlite {
      let left = try SQLiteFile(stack.url)
      #expect(try left.value("SELECT count(*) FROM ZWALK") == "5", "the old file stays as it was")
    }
  }

  @Test(arguments: ways)
  func `joins, subentities and to-ones without an inverse are transferred`(
    from: PersistentStore.StoreType, to: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(from, model: Boxes.model())
    let context = stack.context
    let maker = Boxes.Maker(named: "Ana", in: context)
    for number in 0..<3 {
      let box = Boxes.Box(named: "box \(number)", in: context)
      box.things = [
        Boxes.Thing(named: "b\(number)", in: context),
        Boxes.Thing(named: "a\(number)", in: context),
      ]
      for thing in box.things { thing.maker = maker }
      box.labels = [Boxes.Label(named: "label \(number)", in: context)]
    }
    let boxes = try context.fetch(FetchRequest<Boxes.Box>(entityName: "Box"))
      .sorted { $0.name! < $1.name! }
    boxes[0].labels.formUnion(boxes[1].labels)
    boxes[0].boxes = [boxes[1], boxes[2]]
    boxes[2].guests = Set(boxes[0].things)
    try context.save()

    _ = try migrate(stack, to: to)
    let found = try stack.reread(Boxes.Box.self)
      .sorted { $0.name! < $1.name! }
    #expect(found.map { $0.things.map(\.name) } == [["b0", "a0"], ["b1", "a1"], ["b2", "a2"]])
    #expect(found[0].things.allSatisfy { $0.maker?.name == "Ana" })
    #expect(
      found.map { Set($0.labels.map(\.name)) } == [
        ["label 0", "label 1"], ["label 1"], ["label 2"],
      ])
    #expect(Set(found[0].boxes.map(\.name)) == ["box 1", "box 2"])
    #expect(found[1].outer === found[0])
    #expect(Set(found[2].guests.map(\.name)) == ["a0", "b0"])
  }

  @Test(arguments: ways)
  func `a family's entity numbers are the new store's`(
    from: PersistentStore.StoreType, to: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(from)
    let context = stack.context
    let ana = Person(context: context)
    ana.name = "Ana"
    let cat = Cat(context: context)
    cat.lives = 7
    let puppy = Puppy(context: context)
    puppy.weeks = 9
    ana.pets = [cat, puppy]
    ana.favourite = puppy
    ana.licence = Licence(context: context)
    ana.licence?.number = 12
    try context.save()
    let new = try migrate(stack, to: to)
    let found = try #require(try stack.reread(Person.self).first)
    #expect((found.favourite as? Puppy)?.weeks == 9)
    #expect(Set(found.pets.map { $0.objectID.entity.name }) == ["Cat", "Puppy"])
    #expect(found.licence?.number == 12 && found.licence?.person === found)
    #expect(try stack.container.persistentStoreCoordinator.problems(in: new).isEmpty)
  }

  @Test(arguments: ways)
  func `large values are transferred`(
    from: PersistentStore.StoreType, to: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(from, model: ExternalDataTests.model)
    let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let values: [Data?] = [large, Data([1, 2]), nil]
    for value in values {
      ManagedObject("Photo", in: stack.context)
        .setOptionalValue(value, at: PropertySlot(-1, "image"))
    }
    try stack.context.save()
    let new = try migrate(stack, to: to)
    try? FileManager.default.removeItem(at: stack.folder)
    let context = stack.anotherContext()
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    #expect(found.map { $0.optionalValue(at: PropertySlot(-1, "image")) } == values)
    #expect(try stack.container.persistentStoreCoordinator.problems(in: new).isEmpty)
    guard to == .sqlite else { return }
    let names = try target.names().filter { !$0.hasPrefix("New.sqlite-") }
    #expect(names == [".New_SUPPORT", "New.sqlite"])
  }

  @Test func `a configuration keeps its part of the model`() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Dog", properties: [.value("name", .string)]),
        EntityDescription(name: "Book", properties: [.value("title", .string)]),
      ], configurations: ["Kennel": ["Dog"]])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let memory = try coordinator.addPersistentStore(
      type: .inMemory, configurationName: "Kennel", at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    ManagedObject("Dog", in: context).setOptionalValue("Fido", at: PropertySlot(-1, "name"))
    try context.save()
    let new = try coordinator.migratePersistentStore(memory, to: target.store, type: .sqlite)
    guard
      case .dictionary(let hashes)? =
        try coordinator.metadata(for: new)["NSStoreModelVersionHashes"]
    else { throw PersistentStoreError.notAStore(target.store) }
    #expect(Array(hashes.keys) == ["Dog"])
    #expect(try SQLiteFile(target.store).column("SELECT ZNAME FROM ZDOG") == ["Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `an occupied destination is left unchanged, and so is the store`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [1])
    try Data("mine".utf8).write(to: target.store)
    let store = stack.container.persistentStore
    #expect {
      try migrate(stack, to: .sqlite)
    } throws: { error in
      guard case PersistentStoreError.failed(target.store, let reason) = error else { return false }
      return reason.systemErrno == EEXIST
    }
    #expect(try target.allBytes() == ["New.sqlite": Data("mine".utf8)])
    #expect(stack.container.persistentStore === store)
    #expect(try minutes(in: stack) == [1])
  }

  @Test func `a full disk leaves the store unchanged, and nothing at the destination`() async {
    await #expect(processExitsWith: .success) {
      let target = try StoreFolder(named: "New.sqlite")
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido", minutes: Array(0..<200))
      for walk in dog.walks { walk.note = String(repeating: "rain ", count: 200) }
      try stack.context.save()
      let coordinator = stack.container.persistentStoreCoordinator
      FileSizeLimit.set(150_000)
      let error = #expect(throws: PersistentStoreError.self) {
        try coordinator.migratePersistentStore(
          stack.container.persistentStore, to: target.store, type: .sqlite)
      }
      guard case .full(target.store) = error else { throw try #require(error) }
      FileSizeLimit.lift()
      #expect(try target.names().isEmpty)
      try coordinator.migratePersistentStore(
        stack.container.persistentStore, to: target.store, type: .sqlite)
      #expect(try target.contents()["Fido"]?.count == 200)
    }
  }

  @Test(arguments: Fixture.all)
  func `another app's store is the same in memory, and in a file again`(fixture: Fixture) throws {
    let folder = try fixture.copy()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: fixture.model.model)
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: folder.store, options: options)
    let before = try contents(of: coordinator)
    let memory = try coordinator.migratePersistentStore(store, to: nil, type: .inMemory)
    #expect(try contents(of: coordinator) == before)
    // A new store computes derived values itself.
    let properties = fixture.model.model.entities.flatMap(\.properties)
    let isDerived = properties.contains {
      if case .attribute(let attribute) = $0 { attribute.isDerived } else { false }
    }
    guard !isDerived else { return }
    _ = try coordinator.migratePersistentStore(memory, to: target.store, type: .sqlite)
    #expect(try contents(of: coordinator) == before)
  }

  /// All objects with their values, identified by their indexes among those of their family.
  private func contents(of coordinator: PersistentStoreCoordinator) throws -> [String] {
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    context.retainsRegisteredObjects = true
    let bindings = coordinator.bindings.filter { !$0.store.isRemoved }
    var names: [ManagedObjectID: String] = [:]
    var objects: [ManagedObject] = []
    for root in bindings where root.root == root.index {
      let family = try context.fetch(FetchRequest<ManagedObject>(entityName: root.name))
      for (place, object) in family.enumerated() {
        names[object.objectID] = "\(object.objectID.entity.name) \(place)"
      }
      objects += family
    }
    return objects.map { object in
      let binding = object._entity.binding
      var values: [String] = [names[object.objectID] ?? ""]
      for case (let slot, .attribute(let attribute)) in binding.slots.enumerated()
      where slot < binding.storedSlotCount {
        let value = object.row.value(at: slot, type: attribute.type)
        values.append("\(attribute.name) \(value.map { "\($0)" } ?? "nil")")
      }
      for toOne in binding.toOnes {
        let other = object.toOne(toOne.slot).map { names[$0.objectID] ?? "?" }
        values.append("\(toOne.description.name) \(other ?? "nil")")
      }
      for toMany in binding.toManys {
        object.loaded(toMany)
        let members = object.lists.toManys[toMany.number].members
          .map { names[$0.objectID] ?? "?" }
        values.append(
          "\(toMany.description.name) "
            + (toMany.description.isOrdered ? members : members.sorted()).joined(separator: ", "))
      }
      return values.joined(separator: "; ")
    }
  }

  @Test func `more rows than one batch holds are transferred in order`() throws {
    let stack = try Stack(.inMemory)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    for minutes in 0..<30_000 { dog.addToWalks(stack.walk(minutes: minutes)) }
    try stack.context.save()
    let new = try migrate(stack, to: .sqlite)
    #expect(try minutes(in: stack) == Array(0..<30_000))
    #expect(try stack.container.persistentStoreCoordinator.problems(in: new).isEmpty)
  }
}
