import DataModel
import Foundation
import ManagedObjects
import ModelCompiler
import TestSupport
import Testing

/// A model of another application, as the independent reader sees it.
struct FixtureModel: Sendable, CustomTestStringConvertible {
  /// Its path in the folder of fixtures.
  let name: String
  let model: ManagedObjectModel

  var testDescription: String { name }
  /// The model's file, for the checker; nil for one that only its store contains.
  var contents: URL? {
    guard name.hasSuffix(".xcdatamodel") else { return nil }
    return name.hasPrefix("/")
      ? URL(filePath: name) : URL.fixtures.appending(path: name)
  }

  /// The models in the folder that `MODELS` names, to try those of other apps:
  /// `MODELS=~/Models swift test --filter RandomModelChangesTests`.
  static let others: [FixtureModel] = {
    guard let path = ProcessInfo.processInfo.environment["MODELS"],
      let files = FileManager.default.enumerator(atPath: path)?.allObjects as? [String]
    else { return [] }
    return files.filter { $0.hasSuffix(".xcdatamodel") }.sorted().compactMap { file in
      let url = URL(filePath: path).appending(path: file)
      guard let model = try? CompiledModel(contentsOf: url).currentVersion.model,
        model.entities.contains(where: { !$0.isAbstract })
      else { return nil }
      return FixtureModel(name: url.path, model: model)
    }
  }()

  /// Every version of every model in the folder, and those that only stores contain.
  static let all: [FixtureModel] = {
    guard StoreChecker.isAvailable,
      let json = try? Python.run(script, [URL.tools.path, URL.fixtures.path]).output,
      let read = try? JSONDecoder().decode([String: [String: Entity]].self, from: json)
    else { return [] }
    return read.sorted { $0.key < $1.key }.map { name, entities in
      FixtureModel(
        name: name, model: ManagedObjectModel(entities: entities.values.map(\.description)))
    }
  }()

  private static let script = """
    import glob, json, os, sys; sys.path.insert(0, sys.argv[1])
    import xml.etree.ElementTree as ET
    from coredata import Store, model_from_xml
    found = {}
    for path in glob.glob(sys.argv[2] + "/*/*/*.xcdatamodel"):
        model = model_from_xml(path)
        for e in ET.parse(path + "/contents").getroot().findall("entity"):
            for r in e.findall("relationship"):
                model[e.get("name")]["properties"][r.get("name")]["rule"] = r.get("deletionRule")
        found[os.path.relpath(path, sys.argv[2])] = model
    for path in glob.glob(sys.argv[2] + "/*/SampleModel2_V2.sqlite"):
        found[os.path.relpath(path, sys.argv[2])] = Store(path).embedded_model()
    print(json.dumps(found))
    """

  /// An entity as `coredata.py` has it.
  private struct Entity: Decodable {
    let name: String
    let abstract: Bool
    let parent: String?
    let modifier: String?
    let unique: [[String]]
    let properties: [String: Property]

    var description: EntityDescription {
      EntityDescription(
        name: name, isAbstract: abstract, superentityName: parent,
        properties: properties.values.sorted { $0.name < $1.name }.compactMap(\.description),
        uniquenessConstraints: unique, versionHashModifier: modifier)
    }
  }

  /// A property as `coredata.py` has it.
  private struct Property: Decodable {
    let kind: String
    let name: String
    let transient: Bool
    let optional: Bool?
    let modifier: String?
    let type: Int32?
    let external: Bool?
    let preserve: Bool?
    let derivation: String?
    let destination: String?
    let inverse: String?
    let ordered: Bool?
    let minimum: Int?
    let maximum: Int?
    let rule: String?

    var description: PropertyDescription? {
      switch kind {
      case "attribute":
        .attribute(
          AttributeDescription(
            name: name, type: .init(rawValue: type ?? 0) ?? .undefined,
            isOptional: optional ?? false, isTransient: transient,
            allowsExternalBinaryDataStorage: external ?? false,
            preservesValueInHistoryOnDeletion: preserve ?? false, versionHashModifier: modifier,
            derivationExpression: derivation))
      case "relationship":
        .relationship(
          RelationshipDescription(
            name: name, destinationEntityName: destination ?? "", inverseName: inverse,
            isOptional: optional ?? false, isTransient: transient, minCount: minimum ?? 0,
            maxCount: maximum ?? 0, isOrdered: ordered ?? false,
            deleteRule: ["Cascade": .cascade, "Deny": .deny, "No Action": .noAction][rule ?? ""]
              ?? .nullify,
            versionHashModifier: modifier))
      default: nil
      }
    }
  }
}

/// A store that Apple's framework wrote, with the model that it was written with.
struct Fixture: Sendable, CustomTestStringConvertible {
  /// Its path in the folder of fixtures.
  let name: String
  let model: FixtureModel

  var testDescription: String { name }
  var url: URL { URL.fixtures.appending(path: name) }

  /// Every store in the folder.
  static let all: [Fixture] = {
    let files = FileManager.default.enumerator(atPath: URL.fixtures.path)
    let names = (files?.allObjects as? [String] ?? []).filter {
      $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody")
    }
    return names.sorted().compactMap { name in
      guard let model = model(of: name) else { return nil }
      return Fixture(name: name, model: model)
    }
  }()

  private static func model(of name: String) -> FixtureModel? {
    guard let folder = try? StoreFolder(copyOf: URL.fixtures.appending(path: name)),
      let metadata = try? PersistentStoreCoordinator.metadata(
        forPersistentStoreAt: folder.store, type: .sqlite),
      case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"]
    else { return nil }
    return FixtureModel.all.first { candidate in
      candidate.model.entityVersionHashesByName.mapValues { PropertyList.data(Data($0.bytes)) }
        == hashes
    }
  }

  /// A copy that may be opened and changed, with its log.
  func copy() throws -> StoreFolder { try StoreFolder(copyOf: url) }
}

extension StoreFolder {
  /// A folder with copies of a store and of its log.
  convenience init(copyOf store: URL) throws {
    try self.init(named: store.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      let copy = self.store.path + suffix
      try Data(contentsOf: URL(filePath: store.path + suffix)).write(to: URL(filePath: copy))
    }
  }

  /// The bytes of every file by its name.
  func allBytes() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      found[name] = try? Data(contentsOf: url.appending(path: name))
    }
    return found
  }
}
