import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Saves without enough disk space.
@Suite struct FullDiskTests {
  @Test
  func `a save without space reports it, nothing is lost, and it succeeds once there is space`()
    throws
  {
    let stack = try Stack()
    let fido = try stack.dog("Fido", minutes: [1, 2])
    let connection = (stack.container.persistentStore as! SQLiteStore).connection
    try connection.execute("PRAGMA max_page_count = 1")
    fido.addToWalks(stack.walk(minutes: 3))
    fido.walks[0].note = String(repeating: "rain ", count: 10_000)
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    guard case .full(stack.url) = error else { throw try #require(error) }
    #expect(stack.context.hasChanges)
    let other = try stack.anotherContainer().newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: other).minutes == [1, 2])

    try connection.execute("PRAGMA max_page_count = 100000")
    try stack.context.save()
    let third = try stack.anotherContainer().newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: third).minutes == [1, 2, 3])
  }

  @Test func `a log that may not grow is a full disk`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try folder.save("Fido", minutes: [1])
      let context = try folder.open().newBackgroundContext()
      let fido = try Dog.findOrCreate(named: "Fido", in: context)
      fido.addToWalks(Walk(minutes: 2, in: context))
      fido.walks[0].note = String(repeating: "rain ", count: 50_000)
      FileSizeLimit.set(100_000)
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .full(folder.store) = error else { throw try #require(error) }
      #expect(try folder.contents() == ["Fido": [1]])

      FileSizeLimit.lift()
      try context.save()
      #expect(try folder.contents() == ["Fido": [1, 2]])
      #expect(try SQLiteFile(folder.store).value("PRAGMA integrity_check") == "ok")
    }
  }

  @Test func `a store that found no space can be created later`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      FileSizeLimit.set(8_000)
      let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
      guard case .full(folder.store) = error else { throw try #require(error) }

      FileSizeLimit.lift()
      try folder.save("Fido", minutes: [1])
      #expect(try folder.contents() == ["Fido": [1]])
    }
  }
}
