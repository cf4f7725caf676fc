import DogWalkModel
import Foundation
import Synchronization
import Testing

@testable import ManagedObjects

/// Contexts of one coordinator that read concurrently, and while another one writes.
@Suite struct ConcurrentReadingTests {
  private let folder: StoreFolder
  private let container: PersistentContainer

  init() throws {
    folder = try StoreFolder()
    try folder.save("Fido", minutes: [1, 2, 3])
    container = try folder.open()
  }

  private static let patience = DispatchTimeInterval.seconds(30)

  /// Runs a body on a thread of its own; returns its result, or nil if it takes too long.
  private func elsewhere<Result: Sendable>(
    _ body: @escaping @Sendable (PersistentContainer) throws -> Result
  ) throws -> Result? {
    let answer = Mutex<Swift.Result<Result, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let container = container
    Thread {
      let result = Swift.Result { try body(container) }
      answer.withLock { $0 = result }
      done.signal()
    }.start()
    guard done.wait(timeout: .now() + Self.patience) == .success else { return nil }
    return try answer.withLock { $0 }?.get()
  }

  @Test func `readers do not wait for writers`() throws {
    let context = container.newBackgroundContext()
    let walk = try #require(try context.fetch(Walk.fetchRequest()).first)
    let id = walk.objectID
    try context.performWriting {
      let read = try elsewhere { container in
        let context = container.newBackgroundContext()
        let walks = try context.fetch(Walk.fetchRequest())
        let fault = try context.existingObject(with: id) as? Walk
        let cursor = try context.cursor(for: Walk.fetchRequest())
        let sum = try context.performReading {
          try context.fetch(Walk.fetchRequest()).reduce(0) { $0 + ($1.duration ?? 0) }
        }
        return [
          walks.count, try context.count(for: Walk.fetchRequest()), Int(fault?.duration ?? 0),
          try cursor.next() == nil ? 0 : 1, walks.first?.dog?.name == "Fido" ? 1 : 0, Int(sum),
        ]
      }
      #expect(read == [3, 3, 60, 1, 1, 360])
      walk.note = "written meanwhile"
      try context.save()
    }
    let note = try elsewhere {
      try $0.newBackgroundContext().fetch(Walk.fetchRequest()).first?.note
    }
    #expect(note == "written meanwhile")
  }

  @Test func `a pinned state is kept, and does not prevent writing`() throws {
    let context = container.newBackgroundContext()
    // A context that meets another one gets a connection of its own.
    try context.performWriting {
      _ = try elsewhere { try $0.newBackgroundContext().count(for: Walk.fetchRequest()) }
    }
    try context.performReading {
      #expect(try context.count(for: Walk.fetchRequest()) == 3)
      let walks = try context.fetch(Walk.fetchRequest())
      let fault = try #require(try context.cursor(for: Walk.fetchRequest()).next())
      let saved = try elsewhere { container in
        let context = container.newBackgroundContext()
        for walk in try context.fetch(Walk.fetchRequest()) { walk.duration = 6_000 }
        try context.save()
        return try context.fetch(Walk.fetchRequest()).reduce(0) { $0 + ($1.duration ?? 0) }
      }
      #expect(saved == 18_000)
      try context.refresh(fault, mergeChanges: false)
      #expect(fault.duration == 60)
      let other = container.newBackgroundContext()
      #expect(try other.fetch(Walk.fetchRequest()).map(\.duration) == [60, 120, 180])
      #expect(walks.count == 3)
    }
    #expect(try container.newBackgroundContext().fetch(Walk.fetchRequest()).last?.duration == 6_000)
    #expect(try context.fetch(Walk.fetchRequest()).count == 3)
  }

  @Test func `bodies that pin a state run concurrently`() throws {
    let context = container.newBackgroundContext()
    let count = try context.performReading {
      try elsewhere { container in
        let context = container.newBackgroundContext()
        return try context.performReading { try context.count(for: Walk.fetchRequest()) }
      }
    }
    #expect(count == 3)
  }

  @Test func `a state pinned in memory prevents neither reading nor writing`() throws {
    let container = try PersistentContainer(name: "Test", model: .dogWalk, storeURL: nil)
    let context = container.newBackgroundContext()
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    for minutes in 1...3 { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
    try context.performReading {
      let walks = try context.fetch(Walk.fetchRequest())
      let cursor = try context.cursor(for: Walk.fetchRequest())
      let saved = try elsewhere { [container] _ in
        let context = container.newBackgroundContext()
        let count = try context.performReading { try context.count(for: Walk.fetchRequest()) }
        for walk in try context.fetch(Walk.fetchRequest()) { walk.duration = 6_000 }
        try context.save()
        return count
      }
      #expect(saved == 3)
      try context.refreshAllObjects()
      #expect(walks.map(\.duration) == [60, 120, 180])
      #expect(try cursor.next()?.duration == 60)
    }
    try context.refreshAllObjects()
    #expect(try context.fetch(Walk.fetchRequest()).map(\.duration) == [6_000, 6_000, 6_000])
  }

  @Test func `a deletion made meanwhile is merged when the reading ends`() throws {
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    // A context that meets another one gets a connection of its own.
    try context.performWriting {
      _ = try elsewhere { try $0.newBackgroundContext().count(for: Walk.fetchRequest()) }
    }
    let walks = try context.fetch(Walk.fetchRequest())
    let id = walks[0].objectID
    try context.performReading {
      let saved = try elsewhere { container in
        let context = container.newBackgroundContext()
        context.delete(context.object(with: id))
        try context.fetch(Walk.fetchRequest()).last?.note = "kept"
        try context.save()
        return true
      }
      #expect(saved == true)
      #expect(try context.fetch(Walk.fetchRequest()).count == 3)
      #expect(!walks[0].isDeleted && walks[2].note == nil)
    }
    #expect(try context.fetch(Walk.fetchRequest()) == Array(walks[1...]))
    #expect(walks[0].isDeleted && walks[2].note == "kept")
  }

  @Test func `a deletion merged by hand counts though the pinned state has the row`() throws {
    let context = container.newBackgroundContext()
    try context.performWriting {
      _ = try elsewhere { try $0.newBackgroundContext().count(for: Walk.fetchRequest()) }
    }
    let walks = try context.fetch(Walk.fetchRequest())
    let id = walks[0].objectID
    try context.performReading {
      #expect(try context.count(for: Walk.fetchRequest()) == 3)
      _ = try elsewhere { container in
        let context = container.newBackgroundContext()
        context.delete(context.object(with: id))
        try context.save()
      }
      var changes = ChangedObjectIDs()
      changes.deleted = [id]
      try context.mergeChanges(from: changes)
      #expect(walks[0].isDeleted)
    }
    #expect(try context.fetch(Walk.fetchRequest()) == Array(walks[1...]))
  }

  @Test func `a save that resolves a conflict notifies once other contexts may write again`() throws
  {
    let context = container.newBackgroundContext()
    context.mergePolicy = .mergeByPropertyObjectTrump
    Dog(context: context).setValuesForKeys(["name": "Fido", "nameKey": "fido"])
    let saved = Mutex<Bool?>(nil)
    let observation = context.observe(.didSave) { [self] _ in
      let answer = try? elsewhere { container in
        let context = container.newBackgroundContext()
        try Dog.findOrCreate(named: "Rex", in: context).targetMinutes = 5
        try context.save()
        return true
      }
      saved.withLock { $0 = answer ?? nil }
    }
    defer { observation.cancel() }
    try context.save()
    #expect(saved.withLock { $0 } == true)
    #expect(try context.fetch(Dog.fetchRequest()).compactMap(\.name).sorted() == ["Fido", "Rex"])
  }

  @Test func `more threads than connections take turns`() throws {
    let container = try folder.open { $0.maximumReaderCount = 1 }
    let context = container.newBackgroundContext()
    let done = DispatchGroup()
    let sum = Atomic(0)
    try context.performWriting {
      for _ in 0..<8 {
        done.enter()
        Thread {
          defer { done.leave() }
          let context = container.newBackgroundContext()
          for _ in 0..<50 {
            // Each walk's dog is a fault that is fired during the reading.
            let count = try? context.performReading {
              try context.fetch(Walk.fetchRequest()).filter { $0.dog?.name == "Fido" }.count
            }
            sum.add(count ?? 0, ordering: .relaxed)
            context.reset()
          }
        }.start()
      }
      #expect(done.wait(timeout: .now() + Self.patience) == .success)
    }
    #expect(sum.load(ordering: .relaxed) == 8 * 50 * 3)
  }

  #if os(Linux)
    @Test func `a program with one context has one connection`() throws {
      func connections() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
          let path = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)")
          return path == folder.store.path
        }
      }
      let context = container.newBackgroundContext()
      for walk in try context.fetch(Walk.fetchRequest()) {
        walk.note = walk.dog?.name
        try context.save()
        _ = try context.performReading { try context.count(for: Walk.fetchRequest()) }
        _ = try context.performWriting { try context.fetch(Walk.fetchRequest()) }
      }
      #expect(try connections() == 1)
      try context.performWriting {
        _ = try elsewhere { try $0.newBackgroundContext().count(for: Walk.fetchRequest()) }
      }
      #expect(try connections() == 2)
    }
  #endif

  @Test func `the log is removed with the last connection that may write`() throws {
    let folder = try StoreFolder()
    try folder.save("Rex", minutes: [1])
    do {
      let container = try folder.open()
      let context = container.newBackgroundContext()
      try context.performWriting {
        let done = DispatchSemaphore(value: 0)
        Thread {
          _ = try? container.newBackgroundContext().count(for: Walk.fetchRequest())
          done.signal()
        }.start()
        #expect(done.wait(timeout: .now() + Self.patience) == .success)
        try context.fetch(Walk.fetchRequest()).first?.note = "kept"
        try context.save()
      }
    }
    #expect(try folder.names() == [folder.store.lastPathComponent])
    let note = try folder.open().newBackgroundContext().fetch(Walk.fetchRequest()).first?.note
    #expect(note == "kept")
  }

  @Test func `every connection reports that a store was moved away`() throws {
    let context = container.newBackgroundContext()
    try context.performWriting {
      _ = try elsewhere { try $0.newBackgroundContext().count(for: Walk.fetchRequest()) }
    }
    try FileManager.default.moveItem(
      at: folder.store, to: folder.url.appending(path: "Moved.sqlite"))
    #expect(throws: PersistentStoreError.self) { try context.fetch(Walk.fetchRequest()) }
  }
}
