/// The inherited properties of an entity, which its model sets; they do not affect equality.
struct InheritedProperties: Sendable, Hashable {
  var properties: [PropertyDescription] = []

  static func == (one: InheritedProperties, other: InheritedProperties) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
