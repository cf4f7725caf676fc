import Testing

@testable import DataModel

/// A class for the look-up to find.
final class Hound {}

@Suite("Classes looked for by name")
struct ClassLookUpTests {
  /// A class that stands inside another type.
  final class Nested {}

  @Test func `are found in the file's module, and in the one that is told`() {
    let classes = ManagedObjectModel.classes(
      named: ["Hound", "DataModelTests.Hound", "Elsewhere.Hound"], besideFile: #fileID)
    #expect(classes.count == 1)
    #expect(classes["Hound"] == Hound.self)
  }

  @Test(arguments: ["Nobody", "Nested", "", ".", "SlotLayoutTests", "Module.Nobody", "Ho und"])
  func `are left out where there is none`(name: String) {
    #expect(ManagedObjectModel.classes(named: [name], besideFile: #fileID).isEmpty)
  }
}
