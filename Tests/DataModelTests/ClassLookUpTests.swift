import Testing

@testable import DataModel

/// A class for the look-up to find.
final class Hound {}

@Suite("Classes looked up by name")
struct ClassLookUpTests {
  /// A class nested in another type.
  final class Nested {}

  @Test func `are found in the file's module, and in the module that the name states`() {
    let classes = ManagedObjectModel.classes(
      named: ["Hound", "DataModelTests.Hound", "Elsewhere.Hound"], besideFile: #fileID)
    #expect(classes.count == 1)
    #expect(classes["Hound"] == Hound.self)
  }

  @Test(arguments: ["Nobody", "Nested", "", ".", "SlotLayoutTests", "Module.Nobody", "Ho und"])
  func `are left out where no class has the name`(name: String) {
    #expect(ManagedObjectModel.classes(named: [name], besideFile: #fileID).isEmpty)
  }
}
