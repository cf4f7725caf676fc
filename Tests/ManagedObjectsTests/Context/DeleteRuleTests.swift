import ManagedObjects
import Testing

/// The four delete rules, on both sides of an ordered to-many and of a one-to-one.
@Suite struct DeleteRuleTests {
  typealias Rule = RelationshipDescription.DeleteRule

  /// An owner with two items and a key, whose relationships have the given rules.
  private struct Store {
    let stack: Stack
    let context: ManagedObjectContext
    let owner: Node
    let items: [Node]
    let key: Node

    init(
      _ type: PersistentStore.StoreType, items rule: Rule = .nullify,
      owner ownerRule: Rule = .nullify,
      key keyRule: Rule = .nullify
    ) throws {
      let model = Self.model(items: rule, owner: ownerRule, key: keyRule)
      stack = try Stack(type, model: model)
      context = stack.context
      owner = Node(entity: model.entitiesByName["Owner"]!, insertInto: context)
      items = [1, 2].map { [context] _ in
        Node(entity: model.entitiesByName["Item"]!, insertInto: context)
      }
      key = Node(entity: model.entitiesByName["Key"]!, insertInto: context)
      owner.items = OrderedSet(items)
      owner.key = key
      try context.save()
    }

    static func model(items: Rule, owner: Rule, key: Rule) -> ManagedObjectModel {
      func toOne(
        _ name: String, _ destination: String, inverse: String, _ rule: Rule
      ) -> PropertyDescription {
        .relationship(
          .init(
            name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true,
            deleteRule: rule))
      }
      let list = RelationshipDescription(
        name: "items", destinationEntityName: "Item", inverseName: "owner", isOptional: true,
        maxCount: 0, isOrdered: true, deleteRule: items)
      return ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Owner", managedObjectClassName: "Node",
            properties: [.relationship(list), toOne("key", "Key", inverse: "owner", key)]),
          EntityDescription(
            name: "Item", managedObjectClassName: "Node",
            properties: [toOne("owner", "Owner", inverse: "items", owner)]),
          EntityDescription(
            name: "Key", managedObjectClassName: "Node",
            properties: [toOne("owner", "Owner", inverse: "key", .nullify)]),
        ], classes: ["Node": Node.self])
    }

    func counts(_ entities: String...) throws -> [Int] { try entities.map(count) }

    func count(_ entity: String) throws -> Int {
      try stack.anotherContext().count(for: FetchRequest<Node>(entityName: entity))
    }
  }

  final class Node: ManagedObject {
    var items: OrderedSet<Node> {
      get { orderedToMany(at: PropertySlot(-1, "items")) }
      set { setOrderedToMany(newValue, at: PropertySlot(-1, "items")) }
    }
    var owner: Node? {
      get { toOne(at: PropertySlot(-1, "owner")) }
      set { setToOne(newValue, at: PropertySlot(-1, "owner")) }
    }
    var key: Node? {
      get { toOne(at: PropertySlot(-1, "key")) }
      set { setToOne(newValue, at: PropertySlot(-1, "key")) }
    }
  }

  // MARK: To-many

  @Test(arguments: Stack.allTypes)
  func `nullify clears the members' owner`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, items: .nullify)
    store.context.delete(store.owner)
    #expect(store.items.allSatisfy { $0.owner == nil && !$0.isDeleted })
    try store.context.save()
    #expect(try store.count("Owner") == 0)
    #expect(try store.count("Item") == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `cascade deletes the members`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, items: .cascade)
    store.context.delete(store.owner)
    #expect(store.items.allSatisfy { $0.isDeleted })
    try store.context.save()
    #expect(try store.count("Item") == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `cascade deletes members that were not read`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, items: .cascade)
    let other = store.stack.anotherContext()
    other.delete(other.object(with: store.owner.objectID))
    try other.save()
    #expect(try store.count("Item") == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `cascade follows a cycle once`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, items: .cascade, owner: .cascade, key: .cascade)
    store.context.delete(store.items[1])
    try store.context.save()
    #expect(try store.counts("Owner", "Item", "Key") == [0, 0, 0])
  }

  @Test(arguments: Stack.allTypes)
  func `deny refuses while there are members`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, items: .deny)
    store.context.delete(store.owner)
    let error = #expect(throws: ValidationError.self) { try store.context.save() }
    #expect(
      error?.description
        == "Owner \(type.firstKey): items still has members, so the Owner cannot be deleted.")
    #expect(try store.count("Owner") == 1)
    #expect(store.items.allSatisfy { $0.owner === store.owner })
  }

  @Test(arguments: Stack.allTypes)
  func `deny allows an owner whose members are deleted too`(type: PersistentStore.StoreType) throws
  {
    let store = try Store(type, items: .deny)
    store.context.delete(store.owner)
    for item in store.items { store.context.delete(item) }
    try store.context.save()
    #expect(try store.counts("Owner", "Item") == [0, 0])
  }

  @Test(arguments: Stack.allTypes)
  func `deny allows an owner without members`(
    type: PersistentStore.StoreType
  ) throws {
    let store = try Store(type, items: .deny)
    store.owner.items = []
    store.context.delete(store.owner)
    try store.context.save()
    #expect(try store.count("Owner") == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `no action leaves the members dangling`(
    type: PersistentStore.StoreType
  ) throws {
    let store = try Store(type, items: .noAction)
    store.context.delete(store.owner)
    try store.context.save()
    let other = store.stack.anotherContext()
    let items = try other.fetch(FetchRequest<Node>(entityName: "Item"))
    let owner = try #require(items[0].owner)
    #expect(items[1].owner === owner)
    #expect(throws: PersistentStoreError.self) { try other.existingObject(with: owner.objectID) }
  }

  // MARK: To-one

  @Test(arguments: Stack.allTypes)
  func `nullify removes the object from the list`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, owner: .nullify)
    store.context.delete(store.items[0])
    #expect(store.owner.items.array == [store.items[1]])
    try store.context.save()
    #expect(try store.counts("Owner", "Item") == [1, 1])
  }

  @Test(arguments: Stack.allTypes)
  func `cascade deletes the object at the other end`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, key: .cascade)
    store.context.delete(store.owner)
    #expect(store.key.isDeleted)
    try store.context.save()
    #expect(try store.count("Key") == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `deny refuses while there is an object at the other end`(
    type: PersistentStore.StoreType
  ) throws {
    let store = try Store(type, key: .deny)
    store.context.delete(store.owner)
    let error = #expect(throws: ValidationError.self) { try store.context.save() }
    #expect(
      error?.description
        == "Owner \(type.firstKey): key still has a value, so the Owner cannot be deleted.")
    #expect(try store.count("Owner") == 1)
    #expect(store.key.owner === store.owner)
    store.context.delete(store.key)
    try store.context.save()
    #expect(try store.counts("Owner", "Key") == [0, 0])
  }

  @Test(arguments: Stack.allTypes)
  func `deny refuses to delete an item whose owner stays`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, owner: .deny)
    store.context.delete(store.items[0])
    #expect(throws: ValidationError.self) { try store.context.save() }
    store.context.rollback()
    #expect(store.owner.items.array == store.items)
  }

  @Test(arguments: Stack.allTypes)
  func `no action leaves the partner dangling`(
    type: PersistentStore.StoreType
  ) throws {
    let store = try Store(type, key: .noAction)
    store.context.delete(store.owner)
    #expect(store.key.owner === store.owner)
    try store.context.save()
    let other = store.stack.anotherContext()
    let key = try #require(try other.fetch(FetchRequest<Node>(entityName: "Key")).first)
    let owner = try #require(key.owner)
    #expect(throws: PersistentStoreError.self) { try other.existingObject(with: owner.objectID) }
  }

  @Test(arguments: Stack.allTypes)
  func `no action leaves the owner's list unchanged`(type: PersistentStore.StoreType) throws {
    let store = try Store(type, owner: .noAction)
    store.context.delete(store.items[0])
    #expect(store.owner.items.array == store.items)
    try store.context.save()
    #expect(try store.count("Item") == 1)
  }

  // MARK: Objects that were never saved

  @Test(arguments: Stack.allTypes, [Rule.noAction, .nullify])
  func `nothing refers to an object that was never saved`(
    type: PersistentStore.StoreType, rule: Rule
  ) throws {
    let store = try Store(type, items: rule)
    let model = store.stack.container.managedObjectModel
    let owner = Node(entity: model.entitiesByName["Owner"]!, insertInto: store.context)
    store.items[0].owner = owner
    store.context.delete(owner)
    try store.context.save()
    let other = store.stack.anotherContext()
    let items = try other.fetch(FetchRequest<Node>(entityName: "Item"))
    #expect(items[0].owner == nil)
    #expect(store.items[0].owner == nil)
  }
}
