import CSVStores
import Foundation
import ManagedObjects
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stores that are read and written as a whole, shared by several processes.
@Suite struct DocumentStoreTests {
  @Test(arguments: Stack.wholeTypes)
  func `others' saves are seen by the next fetch`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let seen = try coordinator.changeCount(of: container.persistentStore)
    let context = container.newBackgroundContext()
    #expect(try context.all("Employee").count == 2)
    let other = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: other).setValue("Cleo", forKey: "name")
    try other.save()
    #expect(try context.all("Employee").map { $0.text("name") } == ["Anna", "Ben", "Cleo"])
    #expect(try coordinator.changeCount(of: container.persistentStore) != seen)
  }

  @Test(arguments: Stack.wholeTypes)
  func `changes of different objects in two processes are both saved`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    try one.all("Employee")[0].setValue("Anne", forKey: "name")
    try two.all("Employee")[1].setValue("Benno", forKey: "name")
    ManagedObject("Employee", in: two).setValue("Cleo", forKey: "name")
    try one.save()
    try two.save()
    ManagedObject("Employee", in: one).setValue("Dora", forKey: "name")
    try one.save()
    #expect(try folder.employees() == ["Anne", "Benno", "Cleo", "Dora"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `changes of one object in two processes conflict, and nothing is lost`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    let object = try two.all("Employee")[0]
    object.setValue(Int32(5), forKey: "salary")
    try one.all("Employee")[0].setValue("Anne", forKey: "name")
    try one.save()
    let error = #expect(throws: ConflictError.self) { try two.save() }
    #expect(error?.objectID == object.objectID)
    #expect(try folder.employees() == ["Anne", "Ben"])
    #expect(object.value(forKey: "salary") as? Int32 == 5)
    try two.refresh(object, mergeChanges: true)
    try two.save()
    let again = try folder.open().newBackgroundContext().all("Employee")[0]
    #expect(again.text("name") == "Anne" && again.value(forKey: "salary") as? Int32 == 5)
  }

  @Test(arguments: Stack.wholeTypes)
  func `an object deleted elsewhere is a conflict`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    try two.all("Employee")[0].setValue("Anne", forKey: "name")
    one.delete(try one.all("Employee")[0])
    try one.save()
    #expect(throws: ConflictError.self) { try two.save() }
    #expect(try folder.employees() == ["Ben"])
  }

  @Test(arguments: Stack.textTypes + [.csv])
  func `a change made by hand is read, and the next save keeps it`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let context = try folder.open().newBackgroundContext()
    let objects = try context.all("Employee")
    let text = try folder.text().replacingOccurrences(of: "Anna", with: "Annabel")
    try Data(text.utf8).write(to: folder.file)
    objects[1].setValue("Benno", forKey: "name")
    try context.save()
    #expect(try folder.employees() == ["Annabel", "Benno"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document damaged meanwhile is not overwritten`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let context = try folder.open().newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let whole = try folder.bytes()
    let spoilt = whole.dropLast(30)
    try spoilt.write(to: folder.file)
    // However often someone tries, or reads.
    let attempts: [() throws -> Void] = [
      { try context.save() }, { _ = try context.all("Employee") }, { try context.save() },
    ]
    for attempt in attempts {
      let error = #expect(throws: PersistentStoreError.self) { try attempt() }
      guard case .malformedDocument = error else { throw try #require(error) }
      #expect(try folder.bytes() == spoilt)
    }
    #expect(context.hasChanges)
    try whole.write(to: folder.file)
    try context.save()
    #expect(try folder.employees() == ["Anne", "Ben"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document deleted or replaced by another store is not recreated`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let container = try folder.open()
    let context = container.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let away = folder.folder.url.appending(path: "away.xml")
    try FileManager.default.moveItem(at: folder.url, to: away)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .moved(folder.url) = error else { throw try #require(error) }
    #expect(container.persistentStoreCoordinator.isMoved(container.persistentStore))
    try #require(try folder.folder.names() == ["away.xml"])
    _ = try folder.open()
    for _ in 0..<2 {
      let second = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .moved = second else { throw try #require(second) }
    }
    #expect(try folder.employees() == [])
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.moveItem(at: away, to: folder.url)
    try context.save()
    #expect(try folder.employees() == ["Anne", "Ben"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `many concurrent writers lose nothing`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let folder = try DocumentFolder.staff(type)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let context = try folder.open().newBackgroundContext()
          for number in 0..<15 {
            let object = ManagedObject("Employee", in: context)
            object.setValue("\(writer) \(number)", forKey: "name")
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try folder.employees()
    #expect(found.count == 62 && Set(found).count == 62)
    #expect(try folder.folder.names() == [DocumentFolder.name(type)])
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document that others write to for too long is busy, and nothing is lost`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let context = try folder.open { $0.busyTimeout = 0.02 }.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let descriptor = open(folder.url.path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .busy(folder.url) = error else { throw try #require(error) }
    #expect(try folder.employees() == ["Anna", "Ben"])
    #expect(flock(descriptor, LOCK_UN) == 0)
    try context.save()
    #expect(try folder.employees() == ["Anne", "Ben"])
  }

  @Test(arguments: Stack.wholeTypes)
  func `a to-one that a rule of No Action leaves dangling is nil when it is read back`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder(Boxes.model(things: .noAction), type: type)
    let context = try folder.open().newBackgroundContext()
    let box = Boxes.Box(named: "box", in: context)
    for name in ["a", "b"] { box.things.append(Boxes.Thing(named: name, in: context)) }
    try context.save()
    context.delete(box)
    try context.save()
    let again = try folder.open().newBackgroundContext()
    let things = try again.fetch(Boxes.Thing.fetchRequest())
    #expect(Set(things.map(\.name)) == ["a", "b"] && things.allSatisfy { $0.box == nil })
  }

  @Test(arguments: Stack.wholeTypes)
  func `an object's ordered lists of several entities keep their orders`(
    _ type: PersistentStore.StoreType
  ) throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Dog",
          properties: [
            .toMany("toys", "Toy", back: "dog", isOrdered: true),
            .toMany("walks", "Walk", back: "dog", isOrdered: true),
          ])
      ]
        + ["Toy", "Walk"].map { name in
          EntityDescription(
            name: name,
            properties: [
              .value("name", .string),
              .toOne("dog", "Dog", back: name == "Toy" ? "toys" : "walks"),
            ])
        })
    let folder = try DocumentFolder(model, type: type)
    let context = try folder.open().newBackgroundContext()
    let dog = ManagedObject("Dog", in: context)
    for (list, entity) in [("toys", "Toy"), ("walks", "Walk")] {
      for name in ["a", "b", "c"] {
        let member = ManagedObject(entity, in: context)
        member.setValue(name, forKey: "name")
        dog.mutableOrderedSetValue(forKey: list).add(member)
      }
      dog.mutableOrderedSetValue(forKey: list).moveObjects(at: RangeSet(2..<3), to: 0)
    }
    try context.save()
    let again = try folder.open().newBackgroundContext()
    let found = try again.all("Dog")[0]
    for list in ["toys", "walks"] {
      let members = try #require(found.value(forKey: list) as? OrderedSet<ManagedObject>)
      #expect(members.map { $0.text("name") } == ["c", "a", "b"], "\(list)")
    }
  }
}
