import ManagedObjects
import Testing

/// The bounds that a model sets for the number of members of a to-many.
@Suite struct MemberCountTests {
  /// Sleds with two to four dogs, leaders that may have two to three followers, stored as links of
  /// their own.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Sled",
      properties: [
        .value("name", .string),
        .relationship(
          .init(
            name: "dogs", destinationEntityName: "Dog", inverseName: "sled", minCount: 2,
            maxCount: 4)),
      ]),
    EntityDescription(
      name: "Dog",
      properties: [
        .value("name", .string), .toOne("sled", "Sled", back: "dogs"),
        .relationship(
          .init(
            name: "followers", destinationEntityName: "Dog", inverseName: "leaders",
            isOptional: true, minCount: 2, maxCount: 3)),
        .toMany("leaders", "Dog", back: "followers"),
      ]),
  ])

  private let dogs: [ManagedObject]
  private let sleds: [ManagedObject]
  private let stack: Stack

  /// Two saved sleds, the first with two dogs, the second with four, in another context that has
  /// read nothing.
  private init(_ type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let dogs = (0..<7).map { _ in ManagedObject("Dog", in: stack.context) }
    let sleds = (0..<2).map { _ in ManagedObject("Sled", in: stack.context) }
    sleds[0].setValue(Set(dogs[0..<2]), forKey: "dogs")
    sleds[1].setValue(Set(dogs[2..<6]), forKey: "dogs")
    try stack.context.save()
    let unread = Stack(sharing: stack)
    self.stack = unread
    self.dogs = dogs.map { unread.context.object(with: $0.objectID) }
    self.sleds = sleds.map { unread.context.object(with: $0.objectID) }
    first = stack
  }
  /// The stack that has the folder.
  private let first: Stack

  init() throws { try self.init(.sqlite) }

  private func failures() -> [String] {
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    return error?.description.split(separator: "\n").map(String.init) ?? []
  }

  @Test(arguments: Stack.allTypes)
  func `a new object needs its members`(type: PersistentStore.StoreType) throws {
    let kit = try MemberCountTests(type)
    let sled = ManagedObject("Sled", in: kit.stack.context)
    #expect(kit.failures() == ["New Sled: dogs has no value."])
    sled.mutableSetValue(forKey: "dogs").add(kit.dogs[6])
    #expect(kit.failures() == ["New Sled: dogs has 1 member, fewer than 2."])
    sled.mutableSetValue(forKey: "dogs").add(ManagedObject("Dog", in: kit.stack.context))
    try kit.stack.context.save()
  }

  @Test func `a required to-many without a minimum may have no members`() throws {
    let stack = try Stack(
      .sqlite,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Box",
          properties: [
            .relationship(
              .init(
                name: "stickers", destinationEntityName: "Sticker", inverseName: "box",
                isOptional: false, maxCount: 0))
          ]),
        EntityDescription(
          name: "Sticker", properties: [.toOne("box", "Box", back: "stickers")]),
      ]))
    let box = ManagedObject("Box", in: stack.context)
    try stack.context.save()
    let sticker = ManagedObject("Sticker", in: stack.context)
    sticker.setValue(box, forKey: "box")
    try stack.context.save()
    stack.context.delete(sticker)
    try stack.context.save()
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a missing member of an unread list is noticed`(type: PersistentStore.StoreType) throws {
    let kit = try MemberCountTests(type)
    kit.dogs[0].setValue(nil, forKey: "sled")
    #expect(kit.failures() == ["Sled \(kit.sleds[0].primaryKey): dogs has 1 member, fewer than 2."])
    kit.dogs[1].setValue(nil, forKey: "sled")
    #expect(kit.failures() == ["Sled \(kit.sleds[0].primaryKey): dogs has no value."])
    kit.stack.context.rollback()
    #expect(!kit.stack.context.hasChanges)
    kit.stack.context.delete(kit.dogs[0])
    #expect(kit.failures() == ["Sled \(kit.sleds[0].primaryKey): dogs has 1 member, fewer than 2."])
    kit.dogs[6].setValue(kit.sleds[0], forKey: "sled")
    try kit.stack.context.save()
    #expect(!kit.stack.context.hasChanges && kit.stack.context.updatedObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a member too many is refused, whether the list was read or not`(
    type: PersistentStore.StoreType
  ) throws {
    let kit = try MemberCountTests(type)
    kit.dogs[6].setValue(kit.sleds[1], forKey: "sled")
    #expect(kit.failures() == ["Sled \(kit.sleds[1].primaryKey): dogs has 5 members, more than 4."])
    // A move counts on both sides.
    kit.dogs[6].setValue(nil, forKey: "sled")
    kit.dogs[0].setValue(kit.sleds[1], forKey: "sled")
    #expect(
      Set(kit.failures()) == [
        "Sled \(kit.sleds[0].primaryKey): dogs has 1 member, fewer than 2.",
        "Sled \(kit.sleds[1].primaryKey): dogs has 5 members, more than 4.",
      ])
    kit.dogs[2].setValue(kit.sleds[0], forKey: "sled")
    try kit.stack.context.save()
  }

  @Test(arguments: Stack.allTypes)
  func `an object that is itself deleted may lose its members`(type: PersistentStore.StoreType)
    throws
  {
    let kit = try MemberCountTests(type)
    kit.stack.context.delete(kit.sleds[0])
    kit.stack.context.delete(kit.dogs[0])
    try kit.stack.context.save()
    #expect(kit.dogs[1].value(forKey: "sled") == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an unrelated change reads no list`(type: PersistentStore.StoreType) throws {
    let kit = try MemberCountTests(type)
    kit.dogs[0].setValue("Balto", forKey: "name")
    kit.sleds[0].setValue("first", forKey: "name")
    try kit.stack.context.save()
    #expect(kit.stack.context.registeredObject(for: kit.dogs[1].objectID)?.isFault == true)
  }

  @Test(arguments: Stack.allTypes)
  func `an optional list may be empty, but not too short`(type: PersistentStore.StoreType) throws {
    let kit = try MemberCountTests(type)
    let followers = kit.dogs[0].mutableSetValue(forKey: "followers")
    followers.add(kit.dogs[1])
    #expect(kit.failures() == ["Dog \(type.firstKey): followers has 1 member, fewer than 2."])
    followers.union(kit.dogs[2..<5])
    #expect(kit.failures() == ["Dog \(type.firstKey): followers has 4 members, more than 3."])
    // From the other end.
    kit.dogs[4].mutableSetValue(forKey: "leaders").removeAllObjects()
    try kit.stack.context.save()
    followers.removeAllObjects()
    try kit.stack.context.save()
  }
}
