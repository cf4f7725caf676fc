import ManagedObjects

/// Boxes of things with labels: an ordered to-many, a many-to-many, a to-one without an inverse, a
/// to-many without one, and nested boxes, with delete rules as a test wants them.
enum Boxes {
  typealias Rule = RelationshipDescription.DeleteRule

  static func model(
    things: Rule = .cascade, labels: Rule = .nullify, boxes: Rule = .cascade,
    isBoxRequired: Bool = false
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Box",
          properties: [
            .value("name", .string),
            toMany("things", "Thing", back: "box", things, isOrdered: true),
            toMany("labels", "Label", back: "boxes", labels),
            toMany("boxes", "Box", back: "outer", boxes), .toOne("outer", "Box", back: "boxes"),
            toMany("guests", "Thing", back: nil, .nullify),
          ]),
        EntityDescription(
          name: "Thing",
          properties: [
            .value("name", .string), .toOne("maker", "Maker"),
            .relationship(
              .init(
                name: "box", destinationEntityName: "Box", inverseName: "things",
                isOptional: !isBoxRequired)),
          ]),
        EntityDescription(
          name: "Label",
          properties: [.value("name", .string), toMany("boxes", "Box", back: "labels", .nullify)]),
        EntityDescription(name: "Maker", properties: [.value("name", .string)]),
      ], classes: ["Box": Box.self, "Thing": Thing.self, "Label": Label.self, "Maker": Maker.self])
  }

  private static func toMany(
    _ name: String, _ entity: String, back: String?, _ rule: Rule, isOrdered: Bool = false
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: back, isOptional: true,
        maxCount: 0, isOrdered: isOrdered, deleteRule: rule))
  }

  class Named: ManagedObject {
    var name: String? {
      get { optionalValue(at: PropertySlot(-1, "name")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "name")) }
    }

    convenience init(named name: String, in context: ManagedObjectContext) {
      self.init(context: context)
      self.name = name
    }
  }

  final class Box: Named {
    var things: OrderedSet<Thing> {
      get { orderedToMany(at: PropertySlot(-1, "things")) }
      set { setOrderedToMany(newValue, at: PropertySlot(-1, "things")) }
    }
    var labels: Set<Label> {
      get { unorderedToMany(at: PropertySlot(-1, "labels")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "labels")) }
    }
    var guests: Set<Thing> {
      get { unorderedToMany(at: PropertySlot(-1, "guests")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "guests")) }
    }
    var boxes: Set<Box> {
      get { unorderedToMany(at: PropertySlot(-1, "boxes")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "boxes")) }
    }
    var outer: Box? {
      get { toOne(at: PropertySlot(-1, "outer")) }
      set { setToOne(newValue, at: PropertySlot(-1, "outer")) }
    }
  }

  final class Thing: Named {
    var box: Box? {
      get { toOne(at: PropertySlot(-1, "box")) }
      set { setToOne(newValue, at: PropertySlot(-1, "box")) }
    }
    var maker: Maker? {
      get { toOne(at: PropertySlot(-1, "maker")) }
      set { setToOne(newValue, at: PropertySlot(-1, "maker")) }
    }

    override func prepareForDeletion() { box?.name = (box?.name ?? "") + " -\(name ?? "")" }
  }

  final class Label: Named {
    var boxes: Set<Box> {
      get { unorderedToMany(at: PropertySlot(-1, "boxes")) }
      set { setUnorderedToMany(newValue, at: PropertySlot(-1, "boxes")) }
    }
  }

  final class Maker: Named {}
}
