import Testing

@testable import ManagedObjects

/// What options make of invalid values.
@Suite struct PersistentStoreOptionsTests {
  @Test(
    arguments: [
      (2.5, 2.5), (-1, 0), (.nan, 0), (.infinity, 2_147_483), (1e300, 2_147_483), (0, 0),
    ] as [(Double, Double)])
  func `timeouts are limited to what a store supports`(asked: Double, expected: Double) {
    var options = PersistentStoreOptions()
    options.busyTimeout = asked
    #expect(options.busyTimeout == expected)
  }

  @Test(arguments: [PersistentStore.StoreType.inMemory, .xml, .binary, .json])
  func `a new object after the highest possible key is an error`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let store = try #require(stack.container.persistentStore as? InMemoryStore)
    for root in 0..<8 { store.contents.setHighestKey(.max, of: root) }
    #expect(throws: PersistentStoreError.self) { try stack.dog("Fido") }
  }
}
