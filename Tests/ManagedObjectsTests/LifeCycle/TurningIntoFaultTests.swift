import ManagedObjects
import Testing

/// How objects are notified when they drop their values.
@Suite struct TurningIntoFaultTests {
  /// Records which values it still has when it is notified.
  final class Page: ManagedObject {
    static let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Page",
          properties: [.value("text", .string), .value("length", .integer32, isTransient: true)])
      ], classes: ["Page": Page.self])

    var text: String? {
      get { optionalValue(at: PropertySlot(-1, "text")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "text")) }
    }
    var length: Int32? {
      get { optionalValue(at: PropertySlot(-1, "length")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "length")) }
    }
    var events: [String] = []

    override func willTurnIntoFault() {
      events.append("will, \(isFault ? "fault" : text ?? "-")")
    }
    override func didTurnIntoFault() { events.append("did, \(isFault ? "fault" : "values")") }
  }

  /// Sets values when it is notified, as a class that records them may.
  final class Diary: ManagedObject {
    static let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Diary",
          properties: [.value("text", .string), .value("seen", .string, isTransient: true)])
      ], classes: ["Diary": Diary.self])

    override func willTurnIntoFault() {
      setPrimitiveValue(String(repeating: "seen ", count: 100), forKey: "seen")
      setValue(String(repeating: "lost ", count: 100), forKey: "text")
    }
  }

  private func page(in stack: Stack) throws -> Page {
    let page = Page(context: stack.context)
    (page.text, page.length) = ("text", 4)
    try stack.context.save()
    return page
  }

  @Test(arguments: Stack.allTypes)
  func `values are present in willTurnIntoFault and gone afterwards, computed ones too`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Page.model)
    let page = try page(in: stack)
    #expect(page.events.isEmpty)
    try stack.context.refresh(page, mergeChanges: false)
    #expect(page.events == ["will, text", "did, fault"] && page.isFault)
    // A fault has no values to drop.
    try stack.context.refresh(page, mergeChanges: false)
    #expect(page.events.count == 2)
    #expect(page.text == "text" && page.length == nil)
    try stack.context.refreshAllObjects()
    #expect(page.events.suffix(2) == ["will, text", "did, fault"] && page.events.count == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `changes are discarded before it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Page.model)
    let page = try page(in: stack)
    page.text = "changed"
    // Changed objects stay, unless their changes are discarded.
    try stack.context.refreshAllObjects()
    #expect(page.events.isEmpty && page.text == "changed")
    try stack.context.refresh(page, mergeChanges: false)
    #expect(page.events == ["will, text", "did, fault"] && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `values set in willTurnIntoFault are dropped with the others`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Diary.model)
    let diary = Diary("Diary", in: stack.context)
    diary.setValue("text", forKey: "text")
    try stack.context.save()
    for isOne in [true, false] {
      if isOne {
        try stack.context.refresh(diary, mergeChanges: false)
      } else {
        try stack.context.refreshAllObjects()
      }
      #expect(diary.isFault && !diary.hasChanges)
      #expect(diary.value(forKey: "text") as? String == "text")
      #expect(diary.value(forKey: "seen") == nil)
    }
    // Nothing is left of them that another context's save could be compared with.
    try stack.context.refreshAllObjects()
    let other = stack.anotherContext()
    try other.existingObject(with: diary.objectID).setValue("other", forKey: "text")
    try other.save()
    diary.setValue("mine", forKey: "text")
    try stack.context.save()
  }
}
