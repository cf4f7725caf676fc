import DataModel

/// An entity as one store knows it: its number, the shape of its rows, its relationships resolved.
///
/// Made once when a store is added; unchanging from then on, so it may be read from any thread.
final class EntityBinding: Sendable {
  /// A to-one relationship with indices in place of names.
  ///
  /// A class, as its description is a large value to copy for every look.
  final class ToOne: Sendable {
    let description: RelationshipDescription
    let slot: Int
    let entitySlot: Int?
    let orderKeySlot: Int?
    let destination: Int
    let inverse: Inverse

    init(
      description: RelationshipDescription, slot: Int, entitySlot: Int?, orderKeySlot: Int?,
      destination: Int, inverse: Inverse
    ) {
      self.description = description
      self.slot = slot
      self.entitySlot = entitySlot
      self.orderKeySlot = orderKeySlot
      self.destination = destination
      self.inverse = inverse
    }
  }

  /// A to-many relationship with indices in place of names; a class for the same reason.
  final class ToMany: Sendable {
    let description: RelationshipDescription
    let number: Int
    let destination: Int
    let inverse: Inverse
    let storage: Storage

    init(
      description: RelationshipDescription, number: Int, destination: Int, inverse: Inverse,
      storage: Storage
    ) {
      self.description = description
      self.number = number
      self.destination = destination
      self.inverse = inverse
      self.storage = storage
    }

    /// Where the links are.
    enum Storage: Sendable {
      /// In this slot of each member.
      case foreignKey(slot: Int)
      /// In rows of their own.
      case join(JoinEnd)
      /// In the objects alone: the relationship is transient.
      case memory
    }
  }

  /// One end of a join, seen from the objects that have the relationship.
  struct JoinEnd: Sendable {
    /// The index of the join in its store.
    let join: Int
    /// Whether the owners are the join's first objects.
    let isFirst: Bool
    /// Whether the members have an order.
    let isOrdered: Bool
  }

  /// Where the relationship is that leads back.
  enum Inverse: Sendable {
    case none
    /// A to-one in this slot.
    case toOne(slot: Int)
    /// A to-many of this number.
    case toMany(number: Int)
  }

  /// Attributes whose values together occur once among the objects of some entities.
  struct Uniqueness: Sendable {
    let properties: [String]
    let slots: [Int]
    /// The entity that says so, and its subentities.
    let family: [Int]
  }

  let description: EntityDescription
  /// As the description says; that is a large value to copy for one look.
  let isAbstract: Bool
  /// Its index among the bindings of the whole coordinator; the indices below count alike.
  let index: Int
  /// The index of its root entity.
  let root: Int
  /// Itself and all its subentities.
  let family: [Int]
  /// The number that its store gave it (Z_ENT).
  let number: Int
  /// The store, for object IDs.
  let store: PersistentStoreIdentity

  /// What each slot holds: what is stored, then transient attributes and to-ones.
  let slots: [SlotLayout.Slot]
  /// How many slots are stored; those behind them live in memory only.
  let storedSlotCount: Int
  let kinds: [SlotKind]
  /// The stored slots that a save writes: all but derived attributes.
  let writtenSlots: [Int]
  /// The stored slots whose bytes may be in a file beside the store.
  let externalSlots: [Int]
  let tailSlots: [Int]
  /// The slots that an object must have a value in to be saved; transient ones are not among them.
  let requiredSlots: [Int]
  /// Its own uniqueness constraints and those it inherits.
  let uniqueness: [Uniqueness]
  let toOnes: [ToOne]
  let toManys: [ToMany]
  /// The slot of each attribute and to-one by name.
  let slotsByName: [String: Int]
  /// The number of each to-many by name.
  let toManysByName: [String: Int]
  /// The to-one that lives in a slot, by slot.
  let toOnesBySlot: [ToOne?]

  /// The class that the model names for the objects, if it was found.
  let namedClass: AnyClass?
  /// Whether accessors that momc wrote may use their slot numbers.
  let hasCompiledSlots: Bool
  /// A row with the default values, to copy for a new object.
  ///
  /// Never written to after `init`.
  nonisolated(unsafe) private let template: PackedRow

  var name: String { description.name }
  var slotCount: Int { kinds.count }

  init(
    _ description: EntityDescription, number: Int, store: PersistentStoreIdentity,
    model: LaidOutModel, joins: [JoinBinding]
  ) {
    let order = model.indices
    self.description = description
    isAbstract = description.isAbstract
    self.number = number
    self.store = store
    let index = order[description.name] ?? 0
    self.index = index
    // Every entity of the model was laid out.
    let layout = model.layouts[description.name]!
    root = order[layout.root] ?? index
    family = layout.family.compactMap { order[$0] }.sorted()
    let slots = layout.slots
    self.slots = slots
    storedSlotCount = layout.storedSlotCount
    let kinds = slots.map(SlotKind.init)
    self.kinds = kinds
    tailSlots = kinds.indices.filter { kinds[$0].isTail }
    writtenSlots = (0..<layout.storedSlotCount).filter { !slots[$0].isDerived }
    externalSlots = (0..<layout.storedSlotCount).filter { kinds[$0] == .external }
    requiredSlots = (0..<layout.storedSlotCount).filter { slots[$0].isRequired }
    var slotsByName = [String: Int](minimumCapacity: slots.count)
    var toOnes: [ToOne] = []
    for (slot, content) in slots.enumerated() {
      if case .attribute = content { slotsByName[content.name] = slot }
      guard case .toOne(let relationship) = content else { continue }
      slotsByName[relationship.name] = slot
      toOnes.append(
        ToOne(
          description: relationship, slot: slot,
          entitySlot: layout.entitySlot(behind: slot),
          orderKeySlot: layout.orderKeySlot(of: relationship.name),
          destination: order[relationship.destinationEntityName] ?? 0,
          inverse: model.inverse(of: relationship, of: description)))
    }
    self.toOnes = toOnes
    uniqueness = model.model.lineage(of: description).flatMap { entity in
      entity.uniquenessConstraints.map { properties in
        Uniqueness(
          properties: properties, slots: properties.compactMap { slotsByName[$0] },
          // An ancestor's layout is there as every other.
          family: model.layouts[entity.name]!.family.compactMap { order[$0] }.sorted())
      }
    }
    self.slotsByName = slotsByName
    var toOnesBySlot: [ToOne?] = Array(repeating: nil, count: slots.count)
    for toOne in toOnes { toOnesBySlot[toOne.slot] = toOne }
    self.toOnesBySlot = toOnesBySlot
    let toManys = layout.toManys
    self.toManys = toManys.enumerated().map { number, relationship in
      let inverse = model.inverse(of: relationship, of: description)
      return ToMany(
        description: relationship, number: number,
        destination: order[relationship.destinationEntityName] ?? 0,
        inverse: inverse,
        storage: Self.storage(
          of: relationship, inverse: inverse, for: description, model: model, joins: joins))
    }
    toManysByName = layout.toManyNumbers
    namedClass = model.model.classes[description.managedObjectClassName]
    hasCompiledSlots = model.model.isCompiled
    template = Self.template(slots: slots, kinds: kinds, tailSlots: tailSlots)
  }

  deinit { template.free(slotCount: slotCount) }

  /// Gives a row that was read the default values of the transient attributes.
  func settingTransientDefaults(_ row: PackedRow) -> PackedRow {
    var row = row
    for slot in storedSlotCount..<slotCount {
      guard case .attribute(let attribute) = slots[slot], let value = attribute.defaultValue else {
        continue
      }
      row = row.setting(value, at: slot, kinds: kinds, tailSlots: tailSlots)
    }
    return row
  }

  /// A new row with the default values.
  func newRow() -> PackedRow { template.copy(slotCount: slotCount) }

  private static func storage(
    of relationship: RelationshipDescription, inverse: Inverse, for entity: EntityDescription,
    model: LaidOutModel, joins: [JoinBinding]
  ) -> ToMany.Storage {
    if relationship.isTransient { return .memory }
    if case .toOne(let slot) = inverse { return .foreignKey(slot: slot) }
    let end = JoinBinding.End(
      entity: model.indices[model.model.declarer(of: relationship.name, for: entity.name)] ?? 0,
      name: relationship.name, isOrdered: relationship.isOrdered)
    // Every to-many without a to-one inverse is an end of a join.
    let join = joins.firstIndex { $0.first == end || $0.second == end }!
    return .join(
      JoinEnd(join: join, isFirst: joins[join].first == end, isOrdered: relationship.isOrdered))
  }

  private static func template(
    slots: [SlotLayout.Slot], kinds: [SlotKind], tailSlots: [Int]
  ) -> PackedRow {
    var row = PackedRow.empty(slotCount: kinds.count)
    for (slot, content) in slots.enumerated() {
      guard case .attribute(let attribute) = content, let value = attribute.defaultValue else {
        continue
      }
      row = row.setting(value, at: slot, kinds: kinds, tailSlots: tailSlots)
    }
    return row
  }
}

extension SlotLayout.Slot {
  /// Whether an object must have a value here to be saved.
  var isRequired: Bool {
    switch self {
    case .attribute(let attribute): !attribute.isOptional && !attribute.isDerived
    case .toOne(let relationship): !relationship.isOptional
    case .toOneEntity, .orderKey: false
    }
  }

  /// Whether the store works the value out.
  var isDerived: Bool {
    guard case .attribute(let attribute) = self else { return false }
    return attribute.isDerived
  }
}
