import DogWalkModel
import ManagedObjects
import Testing

/// Which methods contexts skip, as classes declare.
@Suite struct OverriddenMethodsTests {
  @Test func `a class that declares nothing counts as one that overrides all`() {
    #expect(Journal.Entry.overriddenMethods == .all)
    #expect(Heir.overriddenMethods == [.willSave])
    #expect(Grandchild.overriddenMethods == [.willSave, .didSave])
  }

  @Test func `managed objects without a class of their own override none`() {
    #expect(ManagedObject.overriddenMethods.isEmpty)
    #expect(Dog.overriddenMethods.isEmpty)
  }

  private class Ancestor: ManagedObject {
    override class var overriddenMethods: OverriddenMethods { [.willSave] }
    override func willSave() { _ = objectID }
  }

  private class Heir: Ancestor {}

  private final class Grandchild: Heir {
    override class var overriddenMethods: OverriddenMethods { [.willSave, .didSave] }
    override func didSave() { _ = objectID }
  }
}
