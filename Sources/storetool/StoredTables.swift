import CSVStores
import DataFormats
import DataModel
import ManagedObjects
import SystemLibraries

/// The contents of a CSV store.
struct StoredTables: StoredObjects {
  let type = PersistentStore.StoreType.csv
  let identifier: String
  let metadata: [String: PropertyList]
  private let url: URL

  /// Reads the manifest.
  ///
  /// - Throws: `PersistentStoreError` if there is none, or it is malformed.
  init(contentsOf url: URL) throws {
    self.url = url
    var metadata = try PersistentStoreCoordinator.metadata(forPersistentStoreAt: url, type: .csv)
    metadata["NSStoreType"] = .string(type.rawValue)
    self.metadata = metadata
    if case .string(let found)? = metadata["NSStoreUUID"] {
      identifier = found
    } else {
      identifier = ""
    }
  }

  func entities(of model: ManagedObjectModel?) throws -> [DocumentReader.Entity] {
    guard let model else { return try rawEntities() }
    return try entities(in: store(of: model))
  }

  // MARK: Without a model

  /// The rows of each file by its columns, without a model.
  private func rawEntities() throws -> [DocumentReader.Entity] {
    try CSVStore.files(at: url).sorted { $0.key < $1.key }.compactMap { name, file in
      let objects = try rawObjects(of: name, in: file)
      return objects.isEmpty
        ? nil : DocumentReader.Entity(name: name, description: nil, objects: objects)
    }
  }

  private func rawObjects(of entity: String, in file: URL) throws -> [DocumentReader.Object] {
    do {
      var csv = CSVReader(InputBytes(try InputFile(file.path, atMost: 1 << 31 - 1)))
      let names = try csv.next()?.fields ?? []
      var objects: [DocumentReader.Object] = []
      while let record = try csv.next() {
        var number: Int64 = 0
        var properties: [DocumentReader.Property] = []
        for (name, field) in zip(names, record.fields) where !field.isEmpty {
          if name == entity {
            number = Int64(field) ?? 0
          } else {
            let attribute = AttributeDescription(name: name, type: .string, isOptional: true)
            properties.append(.init(name: name, value: .attribute(.text(field), attribute)))
          }
        }
        objects.append(
          DocumentReader.Object(
            entityName: entity, primaryKey: number, properties: properties.sortedByName))
      }
      return objects.filter { $0.primaryKey != 0 || !$0.properties.isEmpty }
        .sorted { $0.primaryKey < $1.primaryKey }
    } catch let error as DataError {
      throw PersistentStoreError.malformedDocument(
        file, line: error.line, column: error.column, error.reason)
    }
  }

  // MARK: With a model

  /// The store, opened read-only by a coordinator of its own.
  private func store(of model: ManagedObjectModel) throws -> CSVStore {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    let store = try coordinator.addPersistentStore(
      type: .csv, configurationName: model.configuration(of: metadata), at: url, options: options)
    guard let store = store as? CSVStore else {
      fatalError("A CSV store has another class than CSVStore.")
    }
    return store
  }

  private func entities(in store: CSVStore) -> [DocumentReader.Entity] {
    let nodes = Dictionary(grouping: store.cacheNodes) { $0.objectID.entity.name }
    return store.managedObjectModel.entitiesInNumberOrder.map { entity in
      let properties = store.managedObjectModel.lineage(of: entity).flatMap(\.properties)
      let objects = (nodes[entity.name] ?? []).map { node in
        let values = node.values
        return DocumentReader.Object(
          entityName: entity.name, primaryKey: node.objectID.primaryKey ?? 0,
          properties: properties.flatMap { stored($0, values) }.sortedByName)
      }
      return DocumentReader.Entity(
        name: entity.name, description: entity,
        objects: objects.sorted { $0.primaryKey < $1.primaryKey })
    }
  }

  /// A property as it is stored, a composite as its elements; nothing for a transient property.
  private func stored(
    _ property: PropertyDescription, _ values: [String: PropertyValue]
  ) -> [DocumentReader.Property] {
    switch property {
    case .attribute(let attribute) where !attribute.isTransient:
      return attribute.storedElements.map { part in
        // CSV files hold the bytes themselves, without the prefix that external storage uses.
        var part = part
        part.allowsExternalBinaryDataStorage = false
        return DocumentReader.Property(
          name: part.name,
          value: .attribute(values[part.name]?.attributeValue.map { StoredValue($0) }, part))
      }
    case .relationship(let relationship) where !relationship.isTransient:
      let value = values[relationship.name]
      return [
        DocumentReader.Property(
          name: relationship.name,
          value: relationship.isToMany
            ? .toMany((value?.objectIDs ?? []).map { StoredReference($0) })
            : .toOne(value?.objectID.map { StoredReference($0) }))
      ]
    default: return []
    }
  }
}

extension [DocumentReader.Property] {
  fileprivate var sortedByName: [DocumentReader.Property] {
    sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension StoredReference {
  fileprivate init(_ id: ManagedObjectID) {
    self.init(entityName: id.entity.name, primaryKey: id.primaryKey ?? 0)
  }
}

extension StoredValue {
  /// Converts a value to the form of a store's column.
  fileprivate init(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .decimal(let number): self = .real(Double(number.description) ?? 0)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .string(let text): self = .text(text)
    case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
    case .binary(let data): self = .bytes(Array(data))
    case .uuid(let uuid): self = withUnsafeBytes(of: uuid.uuid) { .bytes(Array($0)) }
    case .uri(let url): self = .text(url.absoluteString)
    }
  }
}
