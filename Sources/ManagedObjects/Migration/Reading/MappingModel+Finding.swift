public import DataModel
public import SystemLibraries

extension MappingModel {
  /// Finds the mapping model from one version of a model to another.
  ///
  ///     let mapping = try MappingModel(
  ///       from: [url], forSourceModel: old, destinationModel: new)
  ///
  /// Searches every `.cdm` and `.xcmappingmodel` in the folders, and if they are bundles, in their
  /// resources, but not in other subfolders. A mapping fits if each of its entities has the version
  /// hash it is for. If the models are parts of others, such as those of a configuration, entity
  /// mappings of entities that neither has are ignored. Of several that fit, the one with the most
  /// hashes is used, and of those the first: folders in their order, files by name.
  ///
  /// nil if none fits. A file that cannot be read is ignored if another one fits. Names and hashes
  /// are compared before values are read, so that a mapping between other versions is no obstacle.
  /// Follows Core Data's `NSMappingModel(from:forSourceModel:destinationModel:)`.
  ///
  /// - Parameters:
  ///   - folders: the folders to search.
  ///   - source: the model that a store was made with.
  ///   - destination: the model to migrate it to.
  ///   - leavesValues: as with ``init(contentsOf:leavingValuesToPolicies:)``.
  /// - Throws: ``MappingModelError`` if a folder cannot be read, the mapping that fits has values
  ///   that cannot be read, or none fits but there is a file that cannot be read.
  public init?(
    from folders: [URL], forSourceModel source: ManagedObjectModel,
    destinationModel destination: ManagedObjectModel,
    leavingValuesToPolicies leavesValues: Bool = false
  ) throws(MappingModelError) {
    var best: (url: URL, hashCount: Int)?
    var failure: MappingModelError?
    for folder in folders {
      for url in try folder.mappingModels {
        do throws(MappingModelError) {
          let outline = try MappingModel(contentsOf: url, values: .none)
          // An empty one fits everything.
          guard !outline.entityMappings.isEmpty,
            let fitting = outline.restricted(from: source, to: destination),
            fitting.hashCount > best?.hashCount ?? -1
          else { continue }
          best = (url, fitting.hashCount)
        } catch {
          failure = failure ?? error
        }
      }
    }
    guard let best else {
      if let failure { throw failure }
      return nil
    }
    try self.init(contentsOf: best.url, leavingValuesToPolicies: leavesValues)
  }

  /// Whether some folders contain a mapping model, between any versions.
  package static func exist(in folders: [URL]) -> Bool {
    folders.contains { (try? $0.mappingModels)?.isEmpty == false }
  }

  /// The number of version hashes that identify it.
  private var hashCount: Int {
    entityMappings.reduce(0) {
      $0 + ($1.sourceEntityVersionHash == nil ? 0 : 1)
        + ($1.destinationEntityVersionHash == nil ? 0 : 1)
    }
  }
}

extension URL {
  /// The mapping models in a folder and in its resources, by name.
  fileprivate var mappingModels: [URL] {
    get throws(MappingModelError) {
      var found = try mappingModelsInside
      for path in ["Contents/Resources", "Resources"] {
        let resources = appendingPathComponent(path)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: resources.path, isDirectory: &isFolder),
          isFolder
        else { continue }
        found += try resources.mappingModelsInside
      }
      return found
    }
  }

  private var mappingModelsInside: [URL] {
    get throws(MappingModelError) {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        let code = access(path, R_OK) == 0 ? ENOTDIR : errno
        throw MappingModelError(url: self, reason: .unreadable(errno: code))
      }
      return names.sorted().map { appendingPathComponent($0) }
        .filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
    }
  }
}
