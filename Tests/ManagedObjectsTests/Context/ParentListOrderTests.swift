import Foundation
import ManagedObjects
import Testing

/// The order of lists stored as links that a child saves into its parent.
@Suite struct ParentListOrderTests {
  /// Nodes with friends in an order, and with an inverse that is ordered or not.
  private static func model(backIsOrdered: Bool = false) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Node",
        properties: [
          .value("name", .string),
          .toMany("friends", "Node", back: "friendOf", isOrdered: true),
          .toMany("friendOf", "Node", back: "friends", isOrdered: backIsOrdered),
        ])
    ])
  }

  private func node(_ name: String, in context: ManagedObjectContext) -> ManagedObject {
    let node = ManagedObject("Node", in: context)
    node.setValue(name, forKey: "name")
    return node
  }

  /// The names of the members of an ordered list, by the name of its owner, as they are stored.
  private func stored(_ list: String, in stack: Stack) throws -> [String: [String]] {
    let context = stack.anotherContext()
    let nodes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Node"))
    return Dictionary(uniqueKeysWithValues: nodes.map { ($0.nameValue, names(list, of: $0)) })
  }

  private func names(_ list: String, of node: ManagedObject) -> [String] {
    (node.value(forKey: list) as? OrderedSet<ManagedObject>)?.map(\.nameValue) ?? []
  }

  @Test(arguments: Stack.allTypes)
  func `new members are ordered in the parent as in the child, whichever was made first`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model())
    let child = ManagedObjectContext(parent: stack.context)
    let nodes = ["x", "y", "z", "o"].map { node($0, in: child) }
    nodes[3].setValue(OrderedSet([nodes[2], nodes[0], nodes[1]]), forKey: "friends")
    try child.save()
    let parents = try stack.context.fetch(FetchRequest<ManagedObject>(entityName: "Node"))
    let owner = try #require(parents.first { $0.nameValue == "o" })
    #expect(names("friends", of: owner) == ["z", "x", "y"])
    try stack.context.save()
    #expect(try stored("friends", in: stack)["o"] == ["z", "x", "y"])
    #expect(names("friends", of: nodes[3]) == ["z", "x", "y"] && !child.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `both ends keep their orders`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model(backIsOrdered: true))
    let child = ManagedObjectContext(parent: stack.context)
    let nodes = ["x", "y", "o", "p"].map { node($0, in: child) }
    nodes[2].setValue(OrderedSet([nodes[1], nodes[0]]), forKey: "friends")
    nodes[3].setValue(OrderedSet([nodes[0], nodes[1]]), forKey: "friends")
    nodes[0].setValue(OrderedSet([nodes[3], nodes[2]]), forKey: "friendOf")
    try child.save()
    try stack.context.save()
    let friends = try stored("friends", in: stack)
    #expect(friends["o"] == ["y", "x"] && friends["p"] == ["x", "y"])
    let friendOf = try stored("friendOf", in: stack)
    #expect(friendOf["x"] == ["p", "o"] && friendOf["y"] == ["o", "p"])
  }

  @Test(arguments: Stack.allTypes)
  func `they come after the members that only the parent has`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Self.model())
    let context = stack.context
    let (owner, first) = (node("o", in: context), node("first", in: context))
    owner.setValue(OrderedSet([first]), forKey: "friends")
    try context.save()
    let child = ManagedObjectContext(parent: context)
    let (y, z) = (node("y", in: child), node("z", in: child))
    let twin = child.object(with: owner.objectID)
    let members = [child.object(with: first.objectID), z, y]
    twin.setValue(OrderedSet(members), forKey: "friends")
    owner.setValue(OrderedSet([first, node("mine", in: context)]), forKey: "friends")
    try child.save()
    #expect(names("friends", of: owner) == ["first", "mine", "z", "y"])
    try context.save()
    #expect(try stored("friends", in: stack)["o"] == ["first", "mine", "z", "y"])
  }
}
