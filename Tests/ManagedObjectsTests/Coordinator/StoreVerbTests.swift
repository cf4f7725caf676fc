import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Finding, removing and moving stores.
@Suite struct StoreVerbTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `a store is found by its URL, its UUID and an object's ID`() throws {
    try folder.save("Fido")
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let store = container.persistentStore
    let link = folder.url.appending(path: "Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.store)
    let roundabout = folder.url.appending(path: "../\(folder.url.lastPathComponent)/DogWalk.sqlite")
    for url in [folder.store, link, roundabout] {
      #expect(coordinator.persistentStore(for: url) === store)
    }
    #expect(coordinator.persistentStore(for: folder.url.appending(path: "Other.sqlite")) == nil)
    #expect(coordinator.persistentStore(withIdentifier: store.identifier) === store)
    #expect(coordinator.persistentStore(withIdentifier: "") == nil)
    let dog = try Dog.findOrCreate(named: "Fido", in: container.newBackgroundContext())
    #expect(coordinator.persistentStore(of: dog.objectID) === store)
    #expect(try folder.open().persistentStoreCoordinator.persistentStore(of: dog.objectID) == nil)
    #expect(coordinator.url(for: store) == folder.store)
  }

  @Test(arguments: Stack.allTypes)
  func `a removed store is not asked for anything any more`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [1, 2])
    let coordinator = stack.container.persistentStoreCoordinator
    let id = dog.objectID
    let store = stack.container.persistentStore
    dog.name = "Rex"
    try coordinator.remove(store)
    #expect(coordinator.persistentStores.isEmpty)
    #expect(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == nil)
    let attempts: [() throws -> Void] = [
      { try stack.context.save() },
      { _ = try stack.context.fetch(Dog.fetchRequest()) },
      { _ = try stack.context.count(for: Walk.fetchRequest()) },
      { _ = try stack.anotherContext().existingObject(with: id) },
      { _ = try Dog.findOrCreate(named: "Bella", in: stack.context) },
    ]
    for (number, attempt) in attempts.enumerated() {
      #expect("attempt \(number)") {
        try attempt()
      } throws: { error in
        guard case PersistentStoreError.removed(store.identifier) = error else { return false }
        return "\(error)" == "The store \(store.identifier) was removed from its coordinator."
      }
    }
    #expect(stack.context.hasChanges && dog.name == "Rex")

    let new = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    stack.context.reset()
    let bella = try Dog.findOrCreate(named: "Bella", in: stack.context)
    let walk = stack.walk(minutes: 3)
    bella.addToWalks(walk)
    try stack.context.save()
    #expect(coordinator.persistentStore(of: bella.objectID) === new)
    #expect(try stack.context.fetch(Dog.fetchRequest()).map(\.name) == ["Bella"])
    #expect(try stack.anotherContext().count(for: Walk.fetchRequest()) == 1)
  }

  @Test func `a removed store's file has everything that was saved, and can be added again`() throws
  {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 1, in: context))
    try context.save()
    let coordinator = container.persistentStoreCoordinator
    try coordinator.remove(container.persistentStore)
    // The file alone is the store.
    let copy = try StoreFolder()
    try FileManager.default.copyItem(at: folder.store, to: copy.store)
    #expect(try copy.contents() == ["Fido": [1]])
    try coordinator.addPersistentStore(type: .sqlite, at: folder.store)
    let other = container.newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: other).minutes == [1])
  }

  /// The open store with Fido's first walk.
  private func opened() throws -> (PersistentContainer, ManagedObjectContext, fido: Dog) {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(Walk(minutes: 1, in: context))
    try context.save()
    return (container, context, fido)
  }

  @Test func `a store can be switched to another URL`() throws {
    let (container, context, fido) = try opened()
    let coordinator = container.persistentStoreCoordinator
    let store = container.persistentStore
    let moved = try StoreFolder(named: "Moved.sqlite")
    try coordinator.copy(store, to: moved.store)
    try coordinator.setURL(moved.store, for: store)
    #expect(store.url == moved.store && coordinator.persistentStores.count == 1)
    #expect(coordinator.persistentStore(for: moved.store) === store)
    fido.addToWalks(Walk(minutes: 2, in: context))
    try context.save()
    #expect(try folder.contents() == ["Fido": [1]])
    #expect(try moved.contents() == ["Fido": [1, 2]])
    let other = container.newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: other).minutes == [1, 2])
    try FileManager.default.removeItem(at: folder.url)
    fido.name = "Rex"
    try context.save()
    #expect(try moved.contents() == ["Rex": [1, 2]])
  }

  @Test func `a file that was moved while open is refused, and nothing is lost`() throws {
    let (container, _, _) = try opened()
    let coordinator = container.persistentStoreCoordinator
    let store = container.persistentStore
    try coordinator.setURL(folder.store, for: store)
    let moved = try StoreFolder(named: "Moved.sqlite")
    try FileManager.default.moveItem(at: folder.store, to: moved.store)
    #expect {
      try coordinator.setURL(moved.store, for: store)
    } throws: { error in
      guard case PersistentStoreError.moved(folder.store) = error else { return false }
      return true
    }
    // Saved changes go from the log into the file, wherever that is.
    try coordinator.remove(store)
    let copy = try StoreFolder()
    try FileManager.default.copyItem(at: moved.store, to: copy.store)
    #expect(try copy.contents() == ["Fido": [1]])
  }

  @Test func `contexts read concurrently while the store is switched to another URL`() async throws
  {
    try folder.save("Fido", minutes: [1])
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let moved = try StoreFolder(named: "Moved.sqlite")
    try coordinator.copy(container.persistentStore, to: moved.store)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        group.addTask {
          if number == 20 { try coordinator.setURL(moved.store, for: container.persistentStore) }
          return try await container.performBackgroundTask {
            try $0.fetch(Walk.fetchRequest()).count
          }
        }
      }
      for try await count in group { #expect(count == 1) }
    }
  }

  @Test func `a URL with another store, or none, is refused`() throws {
    try folder.save("Fido", minutes: [1])
    let other = try StoreFolder()
    try other.save("Bella", minutes: [2])
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let store = container.persistentStore
    #expect {
      try coordinator.setURL(other.store, for: store)
    } throws: { error in
      guard case PersistentStoreError.otherStore(other.store) = error else { return false }
      return "\(error)" == "\(other.store.path) is another store."
    }
    let nowhere = folder.url.appending(path: "Nowhere.sqlite")
    #expect {
      try coordinator.setURL(nowhere, for: store)
    } throws: { error in
      guard case PersistentStoreError.fileNotFound(nowhere) = error else { return false }
      return true
    }
    #expect(store.url == folder.store)
    let context = container.newBackgroundContext()
    try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 3, in: context))
    try context.save()
    #expect(try folder.contents() == ["Fido": [1, 3]])
    #expect(try other.contents() == ["Bella": [2]])
  }

  @Test func `a save without changes does not ask any store`() throws {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    #expect(try !context.saveIfChanged())
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    #expect(try context.saveIfChanged())
    #expect(try !context.saveIfChanged())
    try container.persistentStoreCoordinator.remove(container.persistentStore)
    #expect(try !context.saveIfChanged())
    #expect(try folder.contents() == ["Fido": []])
  }

  @Test func `stores are added as described, also off the caller's thread`() async throws {
    try folder.save("Fido")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    var description = PersistentStoreDescription(url: folder.store)
    description.options.isReadOnly = true
    let store = try await coordinator.addPersistentStore(with: description)
    #expect(store.isReadOnly && store.url == folder.store && store.type == .sqlite)
    let memory = try await coordinator.addPersistentStore(with: .inMemory)
    #expect(memory.url == nil && memory.type == .inMemory)
    let missing = PersistentStoreDescription(url: folder.url.appending(path: "no/Store.sqlite"))
    await #expect(throws: PersistentStoreError.self) {
      try await coordinator.addPersistentStore(with: missing)
    }
    #expect(coordinator.persistentStores.count == 2)
  }

  @Test func `a container opens the stores of its descriptions`() throws {
    let container = try PersistentContainer(
      name: "Two", model: .dogWalk,
      persistentStoreDescriptions: [.inMemory, PersistentStoreDescription(url: folder.store)])
    #expect(
      container.persistentStoreCoordinator.persistentStores.map(\.type) == [.inMemory, .sqlite])
    #expect(container.persistentStoreDescriptions.map(\.url) == [nil, folder.store])
  }

  @Test func `a container with only a name is in the default folder`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      setenv("XDG_DATA_HOME", folder.url.appending(path: "a/b").path, 1)
      let url = try PersistentContainer.defaultDirectoryURL()
      #expect(url.path.hasPrefix(folder.url.appending(path: "a/b").path + "/"))
      #expect(!FileManager.default.fileExists(atPath: url.path))
      let container = try PersistentContainer(name: "Kennel 1", model: .dogWalk)
      #expect(container.persistentStore.url == url.appending(path: "Kennel 1.sqlite"))
      #expect(FileManager.default.fileExists(atPath: url.appending(path: "Kennel 1.sqlite").path))
      unsetenv("XDG_DATA_HOME")
      setenv("HOME", folder.url.path, 1)
      #expect(
        try PersistentContainer.defaultDirectoryURL().path.hasPrefix(
          folder.url.appending(path: ".local/share").path))
      setenv("HOME", "here", 1)
      #expect(throws: PersistentStoreError.self) { try PersistentContainer.defaultDirectoryURL() }
    }
  }
}
