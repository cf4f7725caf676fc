import DataFormats
package import DataModel
package import SystemLibraries

/// A store that is one document, as that has it: objects by their entities, whether its model is at
/// hand or not.
///
///     let document = try StoredDocument(contentsOf: url, type: .xml)
///     for entity in try document.entities(of: nil) { print(entity.name, entity.objects.count) }
///
/// For programs that look at everything once. Nothing is written.
package struct StoredDocument: StoredObjects {
  /// The store's UUID.
  package let identifier: String
  /// The store's metadata, as `PersistentStoreCoordinator.metadata(for:)` gives it.
  package let metadata: [String: PropertyList]
  private let url: URL
  let bytes: [UInt8]
  private let kind: any StoreDocument.Type
  /// The store's kind.
  package var type: PersistentStore.StoreType { kind.type }

  /// The kinds of documents.
  static let kinds: [any StoreDocument.Type] = [
    XMLStoreDocument.self, JSONStoreDocument.self, BinaryStoreDocument.self,
  ]

  /// The objects of one entity.
  package struct Entity {
    /// Its name: the model's, or as it stands in the document; XML has it in capitals.
    package let name: String
    /// The model's entity; nil where there is no model.
    package let description: EntityDescription?
    /// Those of this very entity, by their ids.
    package internal(set) var objects: [Object]

    /// What a document says of an entity.
    package init(name: String, description: EntityDescription?, objects: [Object]) {
      (self.name, self.description, self.objects) = (name, description, objects)
    }
  }

  /// An object.
  package struct Object {
    /// The name of its entity, as `Entity.name`.
    package let entityName: String
    /// Its primary key.
    package let primaryKey: Int64
    /// Its properties, sorted by name.
    package let properties: [Property]
    /// The object as others lead to it.
    package var reference: StoredReference {
      StoredReference(entityName: entityName, primaryKey: primaryKey)
    }
    /// Where it begins; 0 where there are no lines.
    let line: Int

    /// An object with its properties; `line` is 0 where the document has no lines.
    package init(entityName: String, primaryKey: Int64, properties: [Property], line: Int = 0) {
      (self.entityName, self.primaryKey) = (entityName, primaryKey)
      (self.properties, self.line) = (properties, line)
    }
  }

  /// A property of an object, and what it has.
  package struct Property {
    /// Its name: the model's, or as it stands in the document.
    ///
    /// XML has it in small letters. A binary document has no names of attributes: there they are
    /// numbered.
    package let name: String
    /// What it has.
    package let value: Value

    /// A property with what it has.
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// What a property has.
  package enum Value {
    /// A value; nil for none.
    case attribute(StoredValue?, AttributeDescription)
    /// The object at the other end; nil for none.
    case toOne(StoredReference?)
    /// The objects at the other ends, in the document's order.
    case toMany([StoredReference])
  }

  /// Reads a document's head, and looks whether the rest is one.
  ///
  /// - Precondition: the type is one of documents.
  /// - Throws: `PersistentStoreError` where there is no file, or something is wrong in it.
  package init(contentsOf url: URL, type: PersistentStore.StoreType) throws {
    guard let kind = Self.kinds.first(where: { $0.type == type }) else {
      fatalError("A store of the kind \(type) is no document.")
    }
    let bytes = try DocumentFile(url, busyTimeout: 1).read()
    let head = try Self.mapping(at: url) { () throws(DataError) in try kind.init(headOf: bytes) }
    (self.url, self.bytes, self.kind) = (url, bytes, kind)
    identifier = head.identifier
    metadata = DocumentStore.metadata(of: head)
  }

  // MARK: Entities

  /// The entities in the order of their numbers, as a model describes them; without one, those of
  /// which there are objects, sorted by name.
  ///
  /// - Throws: `PersistentStoreError` where there are objects that are none of the model's.
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

  /// Objects by the names of their entities.
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
