import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// A controller's results, kept on disk for the next launch.
@Suite struct FetchedResultsCacheTests {
  private let folder: StoreFolder
  private let caches: TemporaryFolder

  init() throws {
    folder = try StoreFolder()
    caches = try TemporaryFolder()
    try folder.save("Fido", minutes: [5, 3, 9])
    try folder.save("Bella", minutes: [7, 2])
    // A change made at this moment could be missed, so nothing is cached.
    usleep(40_000)
  }

  private func request() -> FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name"), .init(key: "date")]
    return request
  }

  /// What a new program finds: sections and lengths, and how often it queried the store.
  private func look(
    _ request: FetchRequest<Walk>? = nil, by path: String? = "dog.name",
    named name: String = "walks",
    then body: (FetchedResultsController<Walk>, ManagedObjectContext) throws -> Void = { _, _ in }
  ) throws -> (found: [String], fetches: Int) {
    let context = try folder.open().newBackgroundContext()
    let controller = FetchedResultsController(
      fetchRequest: request ?? self.request(), managedObjectContext: context,
      sectionNameKeyPath: path, cacheName: name)
    controller.cacheFolder = caches.url
    try controller.performFetch()
    let fetches = controller.fetchCount
    let found = controller.sections.map { section in
      "\(section.name) \(section.objects.map { Int($0.duration! / 60) })"
    }
    try body(controller, context)
    return (found, fetches)
  }

  private let all = ["Bella [2, 7]", "Fido [3, 5, 9]"]

  @Test func `a second fetch does not query the store`() throws {
    #expect(try look() == (all, 1))
    #expect(try look() == (all, 0))
    #expect(try look() == (all, 0))
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `a list from a cache follows changes like any other`() throws {
    _ = try look()
    let (found, fetches) = try look { controller, context in
      var told: [FetchedResultsChange] = []
      controller.onChange = { told += $0 }
      let fido = try Dog.findOrCreate(named: "Fido", in: context)
      fido.addToWalks(Walk(minutes: 4, in: context))
      try context.save()
      #expect(told.count >= 1)
      #expect(controller.sections[1].objects.map { Int($0.duration! / 60) } == [3, 4, 5, 9])
      try controller.performFetch()
      #expect(controller.sections[1].objects.count == 4)
    }
    #expect(found == all && fetches == 0)
    usleep(40_000)
    #expect(try look() == (["Bella [2, 7]", "Fido [3, 4, 5, 9]"], 1))
    #expect(try look() == (["Bella [2, 7]", "Fido [3, 4, 5, 9]"], 0))
  }

  @Test func `another program's changes are seen`() throws {
    _ = try look()
    try folder.save("Rex", minutes: [1])
    usleep(40_000)
    #expect(try look() == (all + ["Rex [1]"], 1))
    // A log left by a killed program is part of the store.
    let other = try SQLiteFile(folder.store)
    try other.execute("UPDATE ZWALK SET ZDURATION = 600 WHERE ZDURATION = 60")
    usleep(40_000)
    #expect(try look() == (all + ["Rex [10]"], 1))
    #expect(try look() == (all + ["Rex [10]"], 0))
  }

  @Test func `another request, section or name has another cache`() throws {
    _ = try look()
    var long = request()
    long.predicate = try .init(format: "duration > %@", 240)
    #expect(try look(long) == (["Bella [7]", "Fido [5, 9]"], 1))
    #expect(try look() == (all, 1), "one cache has one request")
    #expect(try look(long, named: "long/../walks") == (["Bella [7]", "Fido [5, 9]"], 1))
    #expect(try look(long, named: "long/../walks") == (["Bella [7]", "Fido [5, 9]"], 0))
    #expect(try look() == (all, 0))
    #expect(try look(by: nil).found == [" [2, 7, 3, 5, 9]"])
    var limited = request()
    limited.fetchLimit = 2
    #expect(try look(limited) == (["Bella [2, 7]"], 1))
    #expect(try FileManager.default.contentsOfDirectory(atPath: caches.url.path).count == 2)
  }

  @Test func `results that are unsaved or depend on the time are not cached`() throws {
    var recent = request()
    recent.predicate = try .init(format: "date < now()")
    #expect(try look(recent).fetches == 1)
    #expect(try look(recent).fetches == 1)
    _ = try look()
    let context = try folder.open().newBackgroundContext()
    context.insertUnsaved()
    let controller = FetchedResultsController(
      fetchRequest: request(), managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: "walks")
    controller.cacheFolder = caches.url
    try controller.performFetch()
    #expect(controller.fetchedObjects.count == 6 && controller.fetchCount == 1)
    #expect(try look() == (all, 0))
  }

  /// Gives Fido another name, as another program does.
  private func rename() throws {
    do {
      let context = try folder.open().newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: context).name = "Ace"
      try context.save()
    }
    usleep(40_000)
  }

  private let renamed = ["Ace [3, 5, 9]", "Bella [2, 7]"]

  /// Has a controller of a context fetch, and cache what it finds.
  private func performFetch(in context: ManagedObjectContext) throws {
    let controller = FetchedResultsController(
      fetchRequest: request(), managedObjectContext: context, sectionNameKeyPath: "dog.name",
      cacheName: "walks")
    controller.cacheFolder = caches.url
    try controller.performFetch()
    #expect(controller.fetchCount == 1)
  }

  @Test func `names read before others changed them are not cached`() throws {
    let context = try folder.open().newBackgroundContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    try rename()
    try performFetch(in: context)
    #expect(try look() == (renamed, 1))
    #expect(try look() == (renamed, 0))
    #expect(dogs[0].name == "Fido")
  }

  @Test func `a pinned state is not cached once the store has moved on`() throws {
    let context = try folder.open().newBackgroundContext()
    try context.performReading {
      _ = try context.count(for: Dog.fetchRequest())
      try rename()
      try performFetch(in: context)
    }
    #expect(try look() == (renamed, 1))
    #expect(try look() == (renamed, 0))
    withExtendedLifetime(context) {}
  }

  @Test func `objects without a section name, and faults, do not prevent caching`() throws {
    try folder.save("Rex")
    usleep(40_000)
    let context = try folder.open().newBackgroundContext()
    let faults = try folder.open().newBackgroundContext().fetch(Walk.fetchRequest())
      .map { context.object(with: $0.objectID) }
    try performFetch(in: context)
    #expect(try look() == (all, 0))
    withExtendedLifetime((context, faults)) {}
  }

  @Test func `a damaged cache is ignored`() throws {
    _ = try look()
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: caches.url.path).first)
    let file = caches.url.appending(path: name)
    let good = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var bytes = good
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))
      case 1: bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 0x55
      default: bytes += [1, 2, 3]
      }
      try bytes.write(to: file)
      #expect(try look().found == all)
    }
  }

  @Test func `caches are deleted by name, or all at once`() throws {
    _ = try look(named: "one")
    _ = try look(named: "two")
    let mine = caches.url.appending(path: "mine")
    try Data("mine".utf8).write(to: mine)
    FetchedResultsCache.delete(named: "one", in: caches.url)
    #expect(try look(named: "one").fetches == 1)
    #expect(try look(named: "two").fetches == 0)
    FetchedResultsCache.delete(named: nil, in: caches.url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: caches.url.path) == ["mine"])
  }

  @Test func `a folder that cannot hold a cache does no harm`() throws {
    try FileManager.default.removeItem(at: caches.url)
    try Data("no folder".utf8).write(to: caches.url)
    #expect(try look() == (all, 1))
    #expect(try look() == (all, 1))
  }

  @Test func `caches are in the system's cache folder`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try folder.save("Fido", minutes: [1])
      usleep(40_000)
      setenv("XDG_CACHE_HOME", folder.url.appending(path: "caches").path, 1)
      for fetches in [1, 0] {
        let context = try folder.open().newBackgroundContext()
        let controller = FetchedResultsController(
          fetchRequest: Walk.fetchRequest(), managedObjectContext: context, cacheName: "walks")
        try controller.performFetch()
        #expect(controller.fetchCount == fetches && controller.fetchedObjects.count == 1)
      }
      FetchedResultsController<Walk>.deleteCache(withName: "walks")
      let found =
        FileManager.default.enumerator(
          atPath: folder.url.appending(path: "caches").path)?.allObjects as? [String]
      #expect(found?.contains { $0.hasSuffix(".fetchedresults") } == false)
    }
  }
}

extension ManagedObjectContext {
  /// A walk without a dog, not saved.
  fileprivate func insertUnsaved() { _ = Walk(minutes: 1, in: self) }
}
