import DataModel

/// The bits of a change's `ZCOLUMNS` and the properties of an entity that they stand for.
///
/// Starting with the most significant bit of the first byte: the to-ones by name, with two bits if
/// the destination has subentities; the stored attributes, those of the root entity first, by name
/// within each entity; the to-manys by name. Source: the lengths of about 3,000 updates in stores
/// written by Apple's framework.
struct HistoryColumns {
  /// The property of each bit.
  let names: [String]
  /// The attributes whose values a tombstone keeps, in the order of its columns.
  let tombstoneSlots: [Int]
  private var bitsBySlot: [Int: [Int]] = [:]
  private var bitsByToMany: [Int: Int] = [:]

  init(_ entity: EntityBinding) {
    var names: [String] = []
    let stored = entity.slots.prefix(entity.storedSlotCount)
    let toOnes = entity.toOnes.filter { $0.slot < entity.storedSlotCount }
      .map { (name: $0.description.name, toOne: $0) }
      .sorted { Self.areInOrder($0.name, $1.name) }
    for (name, toOne) in toOnes {
      var bits = [names.count]
      names.append(name)
      if let entitySlot = toOne.entitySlot {
        bits.append(names.count)
        names.append(name)
        bitsBySlot[entitySlot] = bits
      }
      bitsBySlot[toOne.slot] = bits
      // An order key has no bit of its own.
      if let orderKeySlot = toOne.orderKeySlot { bitsBySlot[orderKeySlot] = bits }
    }
    var kept: [(name: String, slot: Int)] = []
    // Slots are already in this order.
    for case (let slot, .attribute(let attribute)) in stored.enumerated() {
      bitsBySlot[slot] = [names.count]
      names.append(Self.name(of: attribute))
      if attribute.preservesValueInHistoryOnDeletion { kept.append((attribute.name, slot)) }
    }
    let toManys = entity.toManys.filter { !$0.description.isTransient }
      .map { (name: $0.description.name, number: $0.number) }
      .sorted { Self.areInOrder($0.name, $1.name) }
    for (name, number) in toManys {
      bitsByToMany[number] = names.count
      names.append(name)
    }
    self.names = names
    tombstoneSlots = kept.sorted { Self.areInOrder($0.name, $1.name) }.map(\.slot)
  }

  /// The bytes in which the bits of some slots and to-manys are set.
  func bytes(slots: some Sequence<Int>, toManys: some Sequence<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    func set(_ bit: Int) { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
    for slot in slots { bitsBySlot[slot]?.forEach(set) }
    for number in toManys { if let bit = bitsByToMany[number] { set(bit) } }
    return bytes
  }

  /// The bytes in which the bits of some properties are set.
  func bytes(of properties: Set<String>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    for (bit, name) in names.enumerated() where properties.contains(name) {
      bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return bytes
  }

  /// The name of the property that a stored attribute belongs to.
  ///
  /// For a composite, its elements are stored; their names are key paths.
  static func name(of attribute: AttributeDescription) -> String {
    String(attribute.name.prefix { $0 != "." })
  }

  /// The properties whose bits are set; bits beyond the entity's properties are ignored.
  func properties(in bytes: UnsafeRawBufferPointer) -> Set<String> {
    var found: Set<String> = []
    for (bit, name) in names.enumerated() where bit / 8 < bytes.count {
      if bytes[bit / 8] & 0x80 >> UInt8(bit % 8) != 0 { found.insert(name) }
    }
    return found
  }

  private static func areInOrder(_ name: String, _ other: String) -> Bool {
    name.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
