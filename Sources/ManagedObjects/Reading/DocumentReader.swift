import DataFormats
package import DataModel
package import SystemLibraries

/// The contents of a single-document store: its objects by entity, with or without its model.
///
///     let document = try DocumentReader(contentsOf: url, type: .xml)
///     for entity in try document.entities(of: nil) { print(entity.name, entity.objects.count) }
///
/// For programs that look at everything once. Nothing is written.
package struct DocumentReader: StoredObjects {
  /// The store's UUID.
  package let identifier: String
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  package let metadata: [String: PropertyList]
  private let url: URL
  let bytes: [UInt8]
  private let kind: any DocumentFormat.Type
  /// The store type.
  package var type: PersistentStore.StoreType { kind.type }

  /// The readers of the document formats.
  static let kinds: [any DocumentFormat.Type] = [
    XMLStoreDocument.self, JSONStoreDocument.self, BinaryStoreDocument.self,
  ]

  /// The objects of one entity.
  package struct Entity {
    /// Its name: the model's, or the one in the document; XML has it in upper case.
    package let name: String
    /// The model's entity; nil if there is no model.
    package let description: EntityDescription?
    /// The objects of this entity, subentities excluded, sorted by primary key.
    package internal(set) var objects: [Object]

    /// Creates an entity as found in a document.
    package init(name: String, description: EntityDescription?, objects: [Object]) {
      (self.name, self.description, self.objects) = (name, description, objects)
    }
  }

  /// An object.
  package struct Object {
    /// The name of its entity, equal to `Entity.name`.
    package let entityName: String
    /// Its primary key.
    package let primaryKey: Int64
    /// Its properties, sorted by name.
    package let properties: [Property]
    /// The object as relationships refer to it.
    package var reference: StoredReference {
      StoredReference(entityName: entityName, primaryKey: primaryKey)
    }
    /// The line at which it begins; 0 for a document without lines.
    let line: Int

    /// Creates an object; `line` is 0 for a document without lines.
    package init(entityName: String, primaryKey: Int64, properties: [Property], line: Int = 0) {
      (self.entityName, self.primaryKey) = (entityName, primaryKey)
      (self.properties, self.line) = (properties, line)
    }
  }

  /// A property of an object with its value.
  package struct Property {
    /// Its name: the model's, or the one in the document.
    ///
    /// XML has it in lower case. A binary document does not contain the names of attributes; there
    /// they are numbered.
    package let name: String
    /// Its value.
    package let value: Value

    /// Creates a property with its value.
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// The value of a property.
  package enum Value {
    /// A value of an attribute; nil if there is none.
    case attribute(StoredValue?, AttributeDescription)
    /// The destination of a to-one; nil if there is none.
    case toOne(StoredReference?)
    /// The members of a to-many, in the document's order.
    case toMany([StoredReference])
  }

  /// Reads a document and parses its head.
  ///
  /// - Precondition: the store type is a document type.
  /// - Throws: `PersistentStoreError` if there is no file or its head is malformed.
  package init(contentsOf url: URL, type: PersistentStore.StoreType) throws {
    guard let kind = Self.kinds.first(where: { $0.type == type }) else {
      fatalError("A store of the kind \(type) is not a document.")
    }
    let bytes = try DocumentFile(url, busyTimeout: 1).read()
    let head = try Self.mapping(at: url) { () throws(DataError) in try kind.init(headOf: bytes) }
    (self.url, self.bytes, self.kind) = (url, bytes, kind)
    identifier = head.identifier
    metadata = DocumentStore.metadata(of: head)
  }

  // MARK: Entities

  /// A model's entities in the order of their numbers; without a model, the entities that have
  /// objects, sorted by name.
  ///
  /// - Throws: `PersistentStoreError` if the document is malformed or does not fit the model.
  package func entities(of model: ManagedObjectModel?) throws -> [Entity] {
    try Self.mapping(at: url) { () throws(DataError) in
      switch (kind, model) {
      case (is XMLStoreDocument.Type, _):
        let objects = try XMLStoreDocument.objects(in: bytes)
        return try model.map { model throws(DataError) in try xmlEntities(objects, of: model) }
          ?? grouped(objects)
      case (_, let model?): return try entities(of: model, as: kind)
      case (is JSONStoreDocument.Type, nil):
        return grouped(try JSONStoreDocument.objects(in: bytes))
      default: return grouped(try BinaryStoreDocument.objects(in: bytes))
      }
    }
  }

  /// Objects grouped by the names of their entities.
  private func grouped(_ objects: [Object]) -> [Entity] {
    let groups = Dictionary(grouping: objects, by: \.entityName)
    return groups.keys.sorted().map { name in
      Entity(
        name: name, description: nil,
        objects: (groups[name] ?? []).sorted { $0.primaryKey < $1.primaryKey })
    }
  }

  private static func mapping<Result>(
    at url: URL, _ body: () throws(DataError) -> Result
  ) throws -> Result {
    do throws(DataError) {
      return try body()
    } catch {
      throw PersistentStoreError.malformedDocument(error, at: url)
    }
  }
}
