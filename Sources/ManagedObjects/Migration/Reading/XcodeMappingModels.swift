import DataFormats
import DataModel

/// The copies of both models that Xcode keeps in a mapping model, and values inferred from them.
struct XcodeMappingModels: Sendable {
  /// The source's model; nil if the file has no copy of it.
  let source: XcodeModelArchive?
  /// The destination's model, likewise.
  let destination: XcodeModelArchive?

  /// Reads the copies from the object of the mapping model.
  init(_ object: XMLStoreObject) throws(MappingModelError.Reason) {
    source = try Self.model(object, "sourcemodeldata")
    destination = try Self.model(object, "destinationmodeldata")
  }

  private static func model(
    _ object: XMLStoreObject, _ name: String
  ) throws(MappingModelError.Reason) -> XcodeModelArchive? {
    guard object.text(name) != nil else { return nil }
    guard let model = object.data(name).flatMap({ XcodeModelArchive($0) }) else {
      throw .damagedXML(line: object.line, "\(name) is not an archive of a model")
    }
    return model
  }

  /// The names of the source's attributes and relationships, by those of the destination's.
  ///
  /// By name and renaming identifier; all by name if a copy is missing.
  func sources(of mapping: EntityMapping) -> Sources {
    guard let source = mapping.sourceEntityName.flatMap({ self.source?.model.entitiesByName[$0] }),
      let destination = mapping.destinationEntityName.flatMap({
        self.destination?.model.entitiesByName[$0]
      })
    else { return Sources() }
    return Sources(
      attributes: PropertySources(
        Array(source.attributesByName.values), Array(destination.attributesByName.values)),
      relationships: PropertySources(
        Array(source.relationshipsByName.values), Array(destination.relationshipsByName.values)))
  }

  /// The sources of the properties of an entity mapping.
  struct Sources: Sendable {
    var attributes = PropertySources()
    var relationships = PropertySources()
  }

  /// The names of properties in the source.
  struct PropertySources: Sendable {
    private var names: [String: String]?

    /// Creates the names for unknown models.
    init() {}

    fileprivate init<Property: Renamable>(_ source: [Property], _ destination: [Property]) {
      names =
        Renaming(
          from: source.sorted { $0.name < $1.name }, to: destination.sorted { $0.name < $1.name }
        ).sources
    }

    /// The former name of a property of the destination; nil if it is new.
    subscript(name: String) -> String? {
      guard let names else { return name }
      return names[name]
    }
  }

  /// The only mapping whose objects a relationship refers to; nil if there are several, or none.
  ///
  /// If several mappings create its objects, as with subentities, they are found by the
  /// associations of all mappings.
  ///
  /// - Parameters:
  ///   - relationship: its name in the source.
  ///   - name: its name in the destination.
  ///   - mapping: the mapping of its own entity.
  func onlyMapping(
    of relationship: String, to name: String, among mappings: [EntityMapping],
    for mapping: EntityMapping
  ) -> EntityMapping? {
    guard
      let old = Self.destination(of: relationship, from: mapping.sourceEntityName, in: source),
      let new = Self.destination(of: name, from: mapping.destinationEntityName, in: destination)
    else { return nil }
    let candidates = mappings.filter {
      Self.is($0.sourceEntityName, a: old, in: source)
        && Self.is($0.destinationEntityName, a: new, in: destination)
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  private static func destination(
    of relationship: String, from entity: String?, in archive: XcodeModelArchive?
  ) -> String? {
    entity.flatMap { archive?.model.entitiesByName[$0] }?
      .relationshipsByName[relationship]?.destinationEntityName
  }

  /// Whether an entity is another one, or a subentity of it.
  private static func `is`(
    _ name: String?, a other: String, in archive: XcodeModelArchive?
  ) -> Bool {
    guard let model = archive?.model, let entity = name.flatMap({ model.entitiesByName[$0] }) else {
      return false
    }
    return model.lineage(of: entity).contains { $0.name == other }
  }
}
