import DogWalkModel
import Testing

@testable import ManagedObjects

/// Which classes a fetch and a save need not ask.
@Suite struct OverriddenMethodsTests {
  @Test func `a class that overrides nothing is not asked`() {
    #expect(OverriddenMethods(of: ManagedObject.self).isEmpty)
    #expect(OverriddenMethods(of: Dog.self).isEmpty)
    #expect(OverriddenMethods(of: Puppy.self).isEmpty)
  }

  @Test func `a class is asked for what it overrides, or its superclass`() {
    #expect(OverriddenMethods(of: Journal.Book.self) == .willSave)
    #expect(
      OverriddenMethods(of: Journal.Entry.self) == [
        .awakeFromFetch, .willSave, .didSave, .awakeFromSnapshot,
      ])
    #expect(OverriddenMethods(of: OwnRulesTests.Choosy.self) == .validateValue)
    #expect(OverriddenMethods(of: Heir.self) == [.willSave, .validateValue])
  }

  private class Ancestor: ManagedObject {
    override func willSave() { _ = objectID }
  }

  private final class Heir: Ancestor {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      try super.validateValue(&value, forKey: key)
    }
  }
}
