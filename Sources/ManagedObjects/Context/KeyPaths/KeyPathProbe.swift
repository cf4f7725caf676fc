import DataModel

/// Determines which properties a key path reads, by reading it on an object that records them.
///
///     KeyPathProbe.names(\Walk.dog?.name)   // "dog.name"
///
/// The object is a fault without a store. Its entity has no properties, so every accessor looks its
/// slot up by name, and the name is recorded; then it reads a made-up value. The fast path of
/// accessors is not affected.
final class KeyPathProbe {
  /// The properties read so far.
  var names: [String] = []
  // Its objects retain the entity, which retains this.
  private weak var entity: ContextEntity?
  private let bits: UInt64

  private init(_ bits: UInt64) { self.bits = bits }

  /// An object that records which of its properties are read.
  func object<Object: ManagedObject>() -> Object {
    let entity =
      entity
      ?? ContextEntity(binding: Self.binding, table: ObjectTable(), context: nil, probe: self)
    self.entity = entity
    return Object(_fault: 0, of: ManagedObject._Fault(entity: entity, slots: Self.row(bits).slots))
  }

  // MARK: Key paths

  /// The names that a key path to an attribute reads, with dots between them.
  ///
  /// - Precondition: the key path reads stored properties and nothing of their values.
  static func names<Root: ManagedObject, Value: SlotValue & Equatable>(
    _ keyPath: KeyPath<Root, Value?>
  ) -> String {
    names { (object: Root) in object[keyPath: keyPath] }
  }

  /// The names that a key path to a required attribute reads.
  ///
  /// - Precondition: as above.
  static func names<Root: ManagedObject, Value: SlotValue & Equatable>(
    _ keyPath: KeyPath<Root, Value>
  ) -> String {
    names { (object: Root) in object[keyPath: keyPath] }
  }

  /// The names that a key path to an object reads.
  ///
  /// - Precondition: as above.
  static func names<Root: ManagedObject, Destination: ManagedObject>(
    _ keyPath: KeyPath<Root, Destination?>
  ) -> String {
    let probe = KeyPathProbe(0)
    let object: Root = probe.object()
    _ = object[keyPath: keyPath]
    return probe.names.joined(separator: ".")
  }

  /// The names that a key path reads, regardless of what it computes from their values.
  ///
  /// - Precondition: the key path reads a stored property.
  static func key<Root: ManagedObject, Value>(_ keyPath: KeyPath<Root, Value>) -> String {
    let probe = KeyPathProbe(0)
    let object: Root = probe.object()
    _ = object[keyPath: keyPath]
    require(!probe.names.isEmpty, "A sort descriptor's key path reads a property of the model.")
    return probe.names.joined(separator: ".")
  }

  private static func names<Root: ManagedObject, Value: SlotValue & Equatable>(
    _ read: (Root) -> Value?
  ) -> String {
    var names: [String] = []
    // Two made-up values: a value computed from them, as in \.note.isEmpty, differs from one of
    // them.
    for bits in [8 | 16 << 32, 0] as [UInt64] {
      let probe = KeyPathProbe(bits)
      let object: Root = probe.object()
      let value = read(object)
      let row = row(bits)
      defer { row.free(slotCount: 1) }
      require(
        !probe.names.isEmpty && value == Value._read(_RowAccess(row: row), slot: 0),
        "A predicate's key path reads a property of the model, not of its value.")
      names = probe.names
    }
    return names.joined(separator: ".")
  }

  /// A row with one slot: the given bits, followed by the bytes that they may refer to.
  private static func row(_ bits: UInt64) -> PackedRow {
    let bytes: [UInt8] = Array("0123456789abcdef".utf8)
    let row = bytes.withUnsafeBytes {
      PackedRow.empty(slotCount: 1).replacingBytes(0, with: $0, slotCount: 1, tailSlots: [0])
    }
    row.setBits(bits, 0)
    return row
  }

  /// An entity without properties except one that no accessor reads.
  private static let binding: EntityBinding = {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "", properties: [.attribute(.init(name: "", type: .binaryData, isOptional: true))])
      ])
    return ModelBinding(model, store: PersistentStoreIdentity(identifier: "")).entities[0]
  }()
}

@available(*, unavailable) extension KeyPathProbe: Sendable {}
