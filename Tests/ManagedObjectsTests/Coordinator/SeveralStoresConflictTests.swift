import Foundation
import ManagedObjects
import Testing

/// Saves into two stores at once that conflict with others' changes, or run out of disk space.
@Suite struct SeveralStoresConflictTests {
  /// Two stores with the same entity, and an object in each as two contexts read it.
  private struct Pair {
    let folder: StoreFolder
    let coordinator: PersistentStoreCoordinator
    let stores: [PersistentStore]
    let context: ManagedObjectContext
    let rival: ManagedObjectContext
    let objects: [ManagedObject]
    let rivals: [ManagedObject]

    /// - Parameter types: those of the stores, in the order in which they are added.
    init(_ types: [PersistentStore.StoreType]) throws {
      folder = try StoreFolder()
      let url = folder.url
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Tag.model)
      stores = try types.enumerated().map { number, type in
        try coordinator.addPersistentStore(
          type: type, at: type.place(url.appending(path: "\(number).sqlite")))
      }
      self.coordinator = coordinator
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      objects = stores.map { Tag.make("same", in: $0, context) }
      try context.save()
      rival = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      rivals = try objects.map { [rival] in try rival.existingObject(with: $0.objectID) }
      self.context = context
    }

    /// Names and sizes as they are stored, store by store.
    func stored() throws -> [[String]] {
      let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      let all = try other.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
      return stores.map { store in
        all.filter { $0.objectID.description.contains(store.identifier) }
          .map { "\($0.text("name")) \($0.value(forKey: "size") as? Int16 ?? 0)" }.sorted()
      }
    }
  }

  private enum Tag {
    static let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Tag", properties: [.value("name", .string), .value("size", .integer16)],
        uniquenessConstraints: [["name"]])
    ])

    static func make(
      _ name: String, size: Int16 = 0, in store: PersistentStore, _ context: ManagedObjectContext
    ) -> ManagedObject {
      let tag = ManagedObject("Tag", in: context)
      context.assign(tag, to: store)
      tag.setValuesForKeys(["name": name, "size": size])
      return tag
    }
  }

  static let types: [[PersistentStore.StoreType]] = [
    [.sqlite, .sqlite], [.inMemory, .inMemory], [.sqlite, .inMemory], [.inMemory, .sqlite],
  ]

  @Test func `a conflict is resolved in one store while the other is busy`() throws {
    let pair = try Pair([.sqlite, .sqlite])
    let (context, store) = (pair.context, pair.stores[0])
    context.mergePolicy = .mergeByPropertyObjectTrump
    let lock = try SQLiteFile(pair.folder.url.appending(path: "1.sqlite"))
    _ = try lock.value("BEGIN IMMEDIATE")
    _ = Tag.make("same", size: 2, in: store, context)
    try context.save()
    _ = try lock.value("ROLLBACK")
    #expect(try pair.stored() == [["same 2"], ["same 0"]])
  }

  @Test(arguments: types, [0, 1])
  func `a conflict in either store leaves both unchanged, and a policy resolves it`(
    types: [PersistentStore.StoreType], place: Int
  ) throws {
    let pair = try Pair(types)
    pair.rivals[place].setValue(9, forKey: "size")
    try pair.rival.save()
    for (number, object) in pair.objects.enumerated() {
      object.setValue("mine \(number)", forKey: "name")
    }
    let new = pair.stores.map { Tag.make("new", in: $0, pair.context) }
    let error = #expect(throws: ConflictError.self) { try pair.context.save() }
    #expect(error?.objectID == pair.objects[place].objectID)
    var expected = [["same 0"], ["same 0"]]
    expected[place] = ["same 9"]
    #expect(try pair.stored() == expected)
    #expect(new.allSatisfy(\.isInserted) && pair.objects.allSatisfy(\.isUpdated))

    pair.context.mergePolicy = .mergeByPropertyObjectTrump
    try pair.context.save()
    expected = [["mine 0 0", "new 0"], ["mine 1 0", "new 0"]]
    expected[place][0] = "mine \(place) 9"
    #expect(try pair.stored() == expected)
    #expect(!pair.context.hasChanges)
    try pair.context.save()
  }

  @Test(arguments: types)
  func `conflicts in both stores are resolved in one save`(
    types: [PersistentStore.StoreType]
  ) throws {
    for (policy, expected) in [
      (MergePolicy.mergeByPropertyStoreTrump, ["theirs 4"]), (.rollback, ["theirs 0"]),
      (.overwrite, ["mine 4"]), (.mergeByPropertyObjectTrump, ["mine 4"]),
    ] {
      let pair = try Pair(types)
      for rival in pair.rivals { rival.setValue("theirs", forKey: "name") }
      try pair.rival.save()
      for object in pair.objects { object.setValuesForKeys(["name": "mine", "size": 4]) }
      pair.context.mergePolicy = policy
      try pair.context.save()
      #expect(try pair.stored() == [expected, expected], "\(policy.mergeType)")
      #expect(!pair.context.hasChanges)
    }
  }

  @Test(arguments: types)
  func `a unique value may occur once in each store`(
    types: [PersistentStore.StoreType]
  ) throws {
    let pair = try Pair(types)
    pair.context.mergePolicy = .mergeByPropertyObjectTrump
    // In both stores a row has the name, and so has a new object.
    for store in pair.stores {
      _ = Tag.make("same", size: store === pair.stores[0] ? 1 : 2, in: store, pair.context)
    }
    try pair.context.save()
    #expect(try pair.stored() == [["same 1"], ["same 2"]])
    #expect(pair.objects.map { $0.value(forKey: "size") as? Int16 } == [1, 2])
    // Here only one of two equal new objects, in each.
    for store in pair.stores {
      for size in [3, 4] { _ = Tag.make("new", size: Int16(size), in: store, pair.context) }
    }
    try pair.context.save()
    #expect(try pair.stored() == [["new 4", "same 1"], ["new 4", "same 2"]])
  }

  @Test(arguments: types, [0, 1])
  func `a duplicate value in either store leaves both unchanged`(
    types: [PersistentStore.StoreType], place: Int
  ) throws {
    let pair = try Pair(types)
    pair.objects[1 - place].setValue(5, forKey: "size")
    let new = Tag.make("same", in: pair.stores[place], pair.context)
    let error = #expect(throws: PersistentStoreError.self) { try pair.context.save() }
    guard case .uniquenessViolation("Tag", ["name"]) = error else { throw try #require(error) }
    #expect(try pair.stored() == [["same 0"], ["same 0"]])
    pair.context.delete(new)
    try pair.context.save()
    #expect(try pair.stored()[1 - place] == ["same 5"])
  }

  @Test(arguments: types)
  func `an object is checked for conflicts in a store that is not written`(
    types: [PersistentStore.StoreType]
  ) throws {
    for isAlone in [false, true] {
      let pair = try Pair(types)
      for place in 0..<2 {
        _ = pair.objects[place].value(forKey: "size")
        pair.rivals[place].setValue(Int16(6 + place), forKey: "size")
        try pair.rival.save()
        if !isAlone { pair.objects[1 - place].setValue("mine", forKey: "name") }
        pair.context.detectConflicts(for: pair.objects[place])
        let error = #expect(throws: ConflictError.self) { try pair.context.save() }
        #expect(error?.objectID == pair.objects[place].objectID)
        pair.context.rollback()
        try pair.context.refreshAllObjects()
      }
    }
  }

  @Test(arguments: [PersistentStore.StoreType.sqlite, .inMemory, .xml], [true, false])
  func `a conflict that an incremental store finds leaves the other store unchanged`(
    type: PersistentStore.StoreType, isFirst: Bool
  ) throws {
    let folder = try StoreFolder()
    PersistentStoreCoordinator.registerStoreClass(
      PeopleStore.self, forStoreType: PeopleStore.people)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: PeopleStore.model)
    let types = isFirst ? [PeopleStore.people, type] : [type, PeopleStore.people]
    let stores = try types.map { type in
      try coordinator.addPersistentStore(
        type: type, at: type == PeopleStore.people ? nil : type.place(folder.store))
    }
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let people = stores.map { store -> ManagedObject in
      let person = ManagedObject("Person", in: context)
      context.assign(person, to: store)
      person.setValue("old", forKey: "name")
      return person
    }
    try context.save()
    let rival = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let theirs = try rival.existingObject(with: people[isFirst ? 0 : 1].objectID)
    theirs.setValue("theirs", forKey: "name")
    try rival.save()
    for person in people { person.setValue("mine", forKey: "name") }
    #expect(throws: ConflictError.self) { try context.save() }
    let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let found = try other.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(Set(found.map(\.nameValue)) == ["old", "theirs"])
    let names = Set(found.map(\.nameValue))
    #expect(names == ["old", "theirs"])
  }

  // MARK: A disk that fails between two commits

  @Test func `what one store has committed counts as saved where the other store fails`() async {
    await #expect(processExitsWith: .success) {
      // The store that was added first commits last.
      let pair = try Pair([.sqlite, .sqlite])
      var notified: [ObjectChanges] = []
      let observation = pair.context.observe(.didSave) { notified.append($0) }
      defer { observation.cancel() }
      let long = String(repeating: "long ", count: 50_000)
      let large = Tag.make(long, in: pair.stores[0], pair.context)
      let small = Tag.make("small", in: pair.stores[1], pair.context)
      pair.objects[0].setValue(1, forKey: "size")
      pair.context.delete(pair.objects[1])
      let kept = ManagedObjectContext(persistentStoreCoordinator: pair.coordinator)
      FileSizeLimit.set(100_000)
      #expect(throws: PersistentStoreError.self) { try pair.context.save() }
      #expect(try pair.stored() == [["same 0"], ["small 0"]])
      #expect(!small.objectID.isTemporaryID && !small.hasChanges)
      #expect(pair.objects[1].managedObjectContext == nil)
      #expect(large.isInserted && pair.objects[0].isUpdated && pair.context.hasChanges)
      #expect(pair.context.insertedObjects == [large] && pair.context.deletedObjects.isEmpty)
      #expect(notified.map(\.inserted) == [[small]] && notified[0].deleted == [pair.objects[1]])
      #expect(try kept.existingObject(with: small.objectID).text("name") == "small")

      // What is left is saved once, and the rest not twice.
      FileSizeLimit.lift()
      small.setValue(2, forKey: "size")
      try pair.context.save()
      #expect(try pair.stored() == [["\(long) 0", "same 1"].sorted(), ["small 2"]])
      #expect(!pair.context.hasChanges)
    }
  }

  @Test func `a store in memory waits for the file to commit`() async {
    await #expect(processExitsWith: .success) {
      for types in [[PersistentStore.StoreType.sqlite, .inMemory], [.inMemory, .sqlite]] {
        let pair = try Pair(types)
        let file = try #require(types.firstIndex(of: .sqlite))
        let long = String(repeating: "long ", count: 50_000)
        _ = Tag.make(long, in: pair.stores[file], pair.context)
        _ = Tag.make("small", in: pair.stores[1 - file], pair.context)
        FileSizeLimit.set(100_000)
        #expect(throws: PersistentStoreError.self) { try pair.context.save() }
        #expect(try pair.stored() == [["same 0"], ["same 0"]])
        #expect(pair.context.insertedObjects.count == 2)
        FileSizeLimit.lift()
        try pair.context.save()
        #expect(try pair.stored().map(\.count) == [2, 2])
      }
    }
  }
}

extension ManagedObject {
  fileprivate func text(_ key: String) -> String { value(forKey: key) as? String ?? "" }
}
