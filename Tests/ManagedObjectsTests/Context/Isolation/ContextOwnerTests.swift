import DogWalkModel
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

/// Objects taken out of their isolation unsafely, in a process that has enabled the check.
@Suite struct `Owners of contexts` {
  /// Enables the check in this process; for children only, before they have a context.
  private static func look() { setenv("MANAGEDOBJECTS_CONCURRENCYDEBUG", "1", 1) }

  /// Runs a body on a thread of its own, and waits for it.
  private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Thread {
      body()
      ended.signal()
    }.start()
    ended.wait()
  }

  private static func container() throws -> PersistentContainer {
    try PersistentContainer(name: "Test", model: .dogWalk, storeURL: nil)
  }

  @Test func `an object of the view context that is read elsewhere ends the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Self.look()
      try await MainActor.run {
        let context = try Self.container().viewContext
        context.name = "view"
        nonisolated(unsafe) let dog = Dog(context: context)
        dog.name = "Fido"
        Self.elsewhere { _ = dog.name }
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      said.contains(
        "Using an object of Dog in the context \"view\" is allowed only within the main actor"),
      "\(said)"
    )
  }

  @Test(arguments: 0..<6)
  func `any other use elsewhere ends the process too`(way: Int) async throws {
    // An exit test passes its captured values through the environment.
    setenv("OWNER_TEST_WAY", "\(way)", 1)
    await #expect(processExitsWith: .failure) {
      Self.look()
      let way = getenv("OWNER_TEST_WAY").flatMap { Int(String(cString: $0)) }
      try await Self.container().performBackgroundTask { given in
        nonisolated(unsafe) let context = given
        nonisolated(unsafe) let dog = Dog(context: context)
        Self.elsewhere {
          switch way {
          case 0: dog.name = "Rex"
          case 1: dog.setValue("Rex", forKey: "name")
          case 2: _ = try? context.fetch(Dog.fetchRequest())
          case 3: context.delete(dog)
          case 4: _ = Walk(context: context)
          default: try? context.save()
          }
        }
      }
    }
  }

  @Test func `uses in the right isolation are allowed`() async {
    await #expect(processExitsWith: .success) {
      Self.look()
      let container = try Self.container()
      let background = BackgroundContext(container)
      for number in 0..<20 {
        try await background.perform { context in
          let dog = Dog(context: context)
          (dog.name, dog.nameKey) = ("\(number)", "\(number)")
          dog.addToWalks(Walk(context: context))
          context.delete(dog)
          try context.save()
          _ = try context.fetch(Dog.fetchRequest()).map(\.name)
        }
        await Task.yield()
      }
      await MainActor.run {
        let child = ManagedObjectContext(parent: container.viewContext)
        Dog(context: child).name = "Fido"
        #expect(child.insertedObjects.count == 1)
      }
    }
  }

  @Test func `nothing is checked unless the check is enabled`() async {
    await #expect(processExitsWith: .success) {
      try await Self.container().performBackgroundTask { context in
        nonisolated(unsafe) let dog = Dog(context: context)
        dog.name = "Fido"
        Self.elsewhere { _ = dog.name }
      }
    }
  }
}
