import DataFormats

extension ManagedObjectModel {
  /// Reads the model that is embedded in a store: the content of `Z_MODELCACHE`.
  ///
  ///     let model = try ManagedObjectModel(modelCache: content)
  ///     model.isCompatible(withStoreMetadata: metadata)   // true
  ///
  /// So a store of iOS 9 or later can be opened without its model file. The model has everything
  /// that affects how rows are stored, and the bounds of values; regular expressions, conditions,
  /// fetched properties and fetch requests are missing. Takes some milliseconds. Safe for untrusted
  /// bytes.
  ///
  /// - Throws: ``ModelArchiveError`` if the bytes contain no model.
  public init(modelCache content: some Sequence<UInt8>) throws(ModelArchiveError) {
    let content = Array(content)
    if content.isEmpty { throw .empty }
    guard let archive = Deflate.decompress(content, limit: Self.archiveLimit) else {
      throw .notCompressed
    }
    try self.init(archive: archive)
  }

  /// Reads a compiled model: the content of a `.mom` file.
  ///
  ///     let model = try ManagedObjectModel(archive: content)
  ///
  /// Contents, cost and safety are as with ``init(modelCache:)``.
  ///
  /// - Throws: ``ModelArchiveError`` if the bytes contain no model.
  public init(archive content: some Sequence<UInt8>) throws(ModelArchiveError) {
    let content = Array(content)
    if content.isEmpty { throw .empty }
    let list: PropertyList
    do {
      list = try PropertyList(binary: content)
    } catch {
      throw .notAPropertyList(error)
    }
    try self.init(propertyList: list)
  }

  /// The model in the form of a `.mom` file: a keyed archive.
  ///
  ///     try Data(model.archive).write(to: output)
  ///
  /// It contains what reading one returns: regular expressions and conditions of values, fetched
  /// properties and fetch requests are omitted.
  public var archive: [UInt8] { ModelArchiveWriter(self, for: .file).archive }

  /// The model in the form that is embedded in a store: the content of `Z_MODELCACHE`.
  ///
  /// Takes a millisecond for some ten entities.
  public var modelCache: [UInt8] {
    Deflate.compress(ModelArchiveWriter(self, for: .store).archive)
  }

  /// The maximum size of an archive in bytes; Core Data's have some tens of kilobytes.
  private static let archiveLimit = 64 << 20

  /// Reads a keyed archive of a model.
  init(propertyList list: PropertyList) throws(ModelArchiveError) {
    guard let archive = KeyedArchive(list), let root = archive.root,
      root.className == "NSManagedObjectModel"
    else { throw .notAModel }
    var names: Set<String> = []
    var entities: [EntityDescription] = []
    for (_, value) in root.dictionary("NSEntities") {
      guard let entity = archive.object(value).flatMap(EntityDescription.init(archived:)),
        names.insert(entity.name).inserted
      else { throw .notAModel }
      entities.append(entity)
    }
    let identifiers = root.members("NSVersionIdentifiers").compactMap(archive.text)
    var configurations: [String: [String]] = [:]
    for (name, value) in root.dictionary("NSConfigurations") where name != Self.allEntities {
      let members = archive.object(value)?.archivedEntityNames ?? []
      configurations[name] = members.filter(names.contains)
    }
    self.init(
      entities: Self.withoutInherited(entities).sorted { $0.name < $1.name },
      versionIdentifiers: identifiers.sorted(),
      configurations: configurations)
  }

  /// Removes inherited properties from entities; archives repeat them in each.
  private static func withoutInherited(_ entities: [EntityDescription]) -> [EntityDescription] {
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return entities.map { entity in
      guard let parent = entity.superentityName.flatMap({ byName[$0] }) else { return entity }
      let inherited = Set(parent.properties)
      var own = entity
      own.properties.removeAll(where: inherited.contains)
      return own
    }
  }

  /// The configuration that Core Data creates for all entities.
  private static let allEntities = "PF_DEFAULT_CONFIGURATION_NAME"
}

extension EntityDescription {
  /// Reads an archived entity; nil if it has no name.
  fileprivate init?(archived object: KeyedArchive.Object) {
    guard let name = object.text("NSEntityName"), !name.isEmpty else { return nil }
    var properties: [PropertyDescription] = []
    var names: Set<String> = []
    for (key, value) in object.dictionary("NSProperties") {
      guard let archived = object.object(of: value),
        let property = PropertyDescription(archived: archived, named: key),
        names.insert(key).inserted
      else { continue }
      properties.append(property)
    }
    let className = object.text("NSClassNameForEntity")?.split(separator: ".").last.map(String.init)
    self.init(
      name: name,
      managedObjectClassName: className == "NSManagedObject" ? "ManagedObject" : className,
      isAbstract: object.flag("NSIsAbstract") || object.flag("NSAbstract"),
      superentityName: object.object("NSSuperentity")?.text("NSEntityName"),
      properties: properties.sorted { $0.name < $1.name },
      uniquenessConstraints: object.propertySets("NSUniqueTuples"),
      indexes: object.archivedIndexes,
      versionHashModifier: object.text("NSVersionHashModifier"),
      renamingIdentifier: object.renamingIdentifier(besides: name),
      compoundIndexes: object.propertySets("NSCompoundIndexes"),
      userInfo: object.userInfo)
  }
}

extension KeyedArchive.Object {
  /// The names of the entities in an archived array.
  fileprivate var archivedEntityNames: [String] {
    directMembers.compactMap { object(of: $0)?.text("NSEntityName") }
  }

  /// The arrays of names in the array of a key.
  fileprivate func propertySets(_ key: String) -> [[String]] {
    members(key).map { object(of: $0)?.directMembers.compactMap(text(of:)) ?? [] }
  }

  fileprivate var archivedIndexes: [FetchIndexDescription] {
    members("NSFetchIndexDescriptions").compactMap { value in
      guard let index = object(of: value), let name = index.text("NSIndexName") else { return nil }
      let elements = index.members("NSIndexElements").compactMap { value in
        object(of: value).flatMap { element in
          element.text("NSPropertyName").map {
            FetchIndexDescription.Element(
              propertyName: $0,
              collationType: element.integer("NSFetchIndexElementType") == 1 ? .rTree : .binary,
              isAscending: element.flag("NSAscending"))
          }
        }
      }
      return FetchIndexDescription(name: name, elements: elements)
    }
  }

  /// The user info; strings only.
  package var userInfo: [String: String] {
    var userInfo: [String: String] = [:]
    for (key, value) in dictionary("NSUserInfo") { userInfo[key] = text(of: value) }
    return userInfo
  }
}
