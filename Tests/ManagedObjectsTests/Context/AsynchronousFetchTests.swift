import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Work in a context while one of its fetches reads on another thread.
@Suite @MainActor struct AsynchronousFetchTests {
  /// Two dogs, and the result of a fetch that had read everything when `change` was done.
  private func names(
    _ type: PersistentStore.StoreType,
    after change: (Stack, ManagedObjectContext) throws -> Void
  ) async throws -> [String] {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    try stack.dog("Rex", minutes: [20])
    let context = stack.anotherContext()
    var request = Dog.fetchRequest()
    request.sortDescriptors = [.init(key: "name")]
    // Continues here once the fetch waits for its rows.
    let fetching = Task.immediate { [request] in
      try await context.fetchAsynchronously(request).map(\.name)
    }
    // The rows are read meanwhile, on another thread.
    usleep(50_000)
    try change(stack, context)
    return try await fetching.value
  }

  @Test(arguments: Stack.allTypes)
  func `a dog deleted meanwhile is not in the result`(
    type: PersistentStore.StoreType
  ) async throws {
    let names = try await names(type) { _, context in
      let dogs = try context.fetch(Dog.fetchRequest())
      context.delete(try #require(dogs.first { $0.name == "Fido" }))
      try context.save()
    }
    #expect(names == ["Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `another context's save meanwhile is included`(
    type: PersistentStore.StoreType
  ) async throws {
    let names = try await names(type) { stack, _ in
      for dog in try stack.context.fetch(Dog.fetchRequest()) {
        if dog.name == "Fido" { stack.context.delete(dog) } else { dog.name = "Rex II" }
      }
      try stack.context.save()
      try stack.dog("Bello")
    }
    #expect(names == ["Bello", "Rex II"])
  }

  @Test(arguments: Stack.allTypes)
  func `unsaved changes are included`(type: PersistentStore.StoreType) async throws {
    let names = try await names(type) { _, context in
      for dog in try context.fetch(Dog.fetchRequest()) where dog.name == "Fido" {
        context.delete(dog)
      }
      _ = try Dog.findOrCreate(named: "Bello", in: context)
    }
    #expect(names == ["Bello", "Rex"])
  }
}
