public import DataModel
public import SystemLibraries

/// Why a store cannot be migrated from one version of its model to another; it is unchanged.
///
///     do { try MappingModel.inferred(from: old, to: new) } catch { print(error) }
///     // Walk.duration is a Double and cannot become a String.
///
/// Names of entities and properties are the destination's unless stated otherwise.
public enum MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An attribute has another type than before.
  case incompatibleAttributeTypes(
    entity: String, attribute: String, source: AttributeDescription.AttributeType,
    destination: AttributeDescription.AttributeType)
  /// A required attribute is new, or was optional, and has no default value.
  case missingDefaultValue(entity: String, attribute: String)
  /// Entities that had no common superentity in the source have one in the destination.
  case mergedHierarchies(root: String, sourceRoots: [String])
  /// Several entities, or properties of one entity, are renamed from the same one.
  case ambiguousRenaming(entity: String?, source: String, destinations: [String])
  /// Entities, or properties of one entity, are renamed in a cycle.
  case renamingCycle(entity: String?, names: [String])
  /// A to-many relationship has become a to-one.
  case toManyBecomesToOne(entity: String, relationship: String)
  /// A relationship's destination changes, so that its objects would be lost.
  case differentDestination(
    entity: String, relationship: String, source: String, destination: String)
  /// A relationship's inverse changes in a way that is not migrated yet.
  case differentInverse(entity: String, relationship: String)
  /// None of the given models is the one that the store was made with, and the store has no model.
  case missingSourceModel(URL)
  /// There is no mapping, and none may be inferred; see `PersistentStoreOptions.infersMapping`.
  case missingMappingModel(URL)
  /// No stage of a staged migration has the store's version, or the stages go past the model.
  case noStage(URL)
  /// Two entity mappings have one name.
  case duplicateMappingName(String)
  /// A mapping refers to an entity that its model lacks.
  case unknownEntity(mapping: String, entity: String)
  /// A mapping is of another version of an entity, by its version hash.
  case differentVersion(mapping: String, entity: String)
  /// A mapping refers to a property, or a key path, that an entity lacks.
  case unknownProperty(mapping: String, entity: String, property: String)
  /// A relationship refers to an entity mapping that does not exist.
  case unknownMapping(mapping: String, property: String, name: String)
  /// An attribute is mapped to objects, or a relationship to other values.
  case unusableExpression(mapping: String, property: String)
  /// A mapping refers to a policy that the manager does not have.
  case missingPolicy(mapping: String, className: String)
  /// A mapping calls a method that its policy does not have.
  case unknownPolicyFunction(mapping: String, property: String, name: String)
  /// An attribute cannot have the value in its mapping.
  case unacceptableValue(mapping: String, property: String, value: String)
  /// Values that must be unique in the destination are duplicated: the keys of the first such rows.
  case duplicateValues(entity: String, properties: [String], primaryKeys: [Int64])
  /// An entity with objects has become abstract: the primary keys of the first ones.
  case objectsOfAbstractEntity(entity: String, primaryKeys: [Int64])
  /// A table to be rebuilt has rows of unknown entities: the primary keys of the first ones.
  case rowsOfNoEntity(table: String, primaryKeys: [Int64])

  /// One sentence, for a log.
  public var description: String {
    switch self {
    case .incompatibleAttributeTypes(let entity, let attribute, let source, let destination):
      "\(entity).\(attribute) was of the type \(source.name) and cannot become \(destination.name)."
    case .missingDefaultValue(let entity, let attribute):
      "\(entity).\(attribute) is required and has no default value for the objects without one."
    case .mergedHierarchies(let root, let roots):
      "\(roots.joined(separator: " and ")) had no common superentity and cannot get \(root) as one."
    case .ambiguousRenaming(let entity, let source, let names):
      "\(names.map { Self.path(entity, $0) }.joined(separator: " and ")) have the same former name, \(source)."
    case .renamingCycle(let entity, let names):
      "\(names.map { Self.path(entity, $0) }.joined(separator: " and ")) have each other's former names."
    case .toManyBecomesToOne(let entity, let relationship):
      "\(entity).\(relationship) was a to-many relationship and cannot become a to-one."
    case .differentDestination(let entity, let relationship, let source, let destination):
      "\(entity).\(relationship) had the destination \(source), which cannot become \(destination)."
    case .differentInverse(let entity, let relationship):
      "\(entity).\(relationship) has another inverse now, which is not supported."
    case .missingSourceModel(let url):
      "\(url.path) was made with an unknown model and contains no model itself."
    case .missingMappingModel(let url):
      "\(url.path) was made with another model, and inferring a mapping was turned off."
    case .noStage(let url):
      "\(url.path) is of a model version that the migration stages do not start from."
    case .duplicateMappingName(let name):
      "Two entity mappings are called \(name)."
    case .unknownEntity(let mapping, let entity):
      "The mapping \(mapping) is of an entity \(entity), which the model does not have."
    case .differentVersion(let mapping, let entity):
      "The mapping \(mapping) is of another version of \(entity) than the model's."
    case .unknownProperty(let mapping, let entity, let property):
      "The mapping \(mapping) names \(entity).\(property), which the model does not have."
    case .unknownMapping(let mapping, let property, let name):
      "The mapping \(mapping) sets \(property) to objects of the mapping \(name), which does not exist."
    case .unusableExpression(let mapping, let property):
      "The mapping \(mapping) has an expression for \(property) whose value is of another type."
    case .missingPolicy(let mapping, let className):
      "The mapping \(mapping) needs the policy class \(className), which does not exist in this program."
    case .unknownPolicyFunction(let mapping, let property, let name):
      "The mapping \(mapping) calls \(name) for \(property), which its policy does not have."
    case .unacceptableValue(let mapping, let property, let value):
      "The mapping \(mapping) has the value \(value) for \(property), which is of another type."
    case .duplicateValues(let entity, let properties, let keys):
      "Several \(entity) have the same \(properties.joined(separator: " and ")) (Z_PK \(Self.list(keys)))."
    case .objectsOfAbstractEntity(let entity, let keys):
      "\(entity) has become abstract, but has objects (Z_PK \(Self.list(keys)))."
    case .rowsOfNoEntity(let table, let keys):
      "\(table) has rows of an entity that the store's model does not know (Z_PK \(Self.list(keys)))."
    }
  }

  private static func path(_ entity: String?, _ name: String) -> String {
    entity.map { "\($0).\(name)" } ?? name
  }

  private static func list(_ keys: [Int64]) -> String {
    keys.map(String.init).joined(separator: ", ")
  }
}
