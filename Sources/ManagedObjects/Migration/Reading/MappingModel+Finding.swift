public import DataModel
public import SystemLibraries

extension MappingModel {
  /// Finds the mapping model that leads from one version of a model to another.
  ///
  ///     let mapping = try MappingModel(
  ///       from: [url], forSourceModel: old, destinationModel: new)
  ///
  /// Looks at every `.cdm` and `.xcmappingmodel` in the folders, and where they are bundles in
  /// their resources, but not in other folders inside. A mapping fits where each entity that it
  /// names has the version hash it is for. Where the models are parts of others, as those of a
  /// configuration are, entity mappings of entities that neither has do not count. Of several that
  /// fit that one is taken which has the most hashes, and of those the first: folders in their
  /// order, files by name.
  ///
  /// nil where none fits. A file that cannot be read is passed over where another one fits. Names
  /// and hashes are compared before values are read, so that a mapping between other versions is no
  /// obstacle. Follows Core Data's `NSMappingModel(from:forSourceModel:destinationModel:)`.
  ///
  /// - Parameters:
  ///   - folders: where to look.
  ///   - source: the model that a store was made with.
  ///   - destination: the model that it is to get.
  ///   - leavesValues: as with ``init(contentsOf:leavingValuesToPolicies:)``.
  /// - Throws: ``MappingModelError`` where a folder cannot be read, what fits has values that
  ///   cannot be read, or nothing fits but there is a file that cannot be read.
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

  /// Whether there is a mapping model, between whichever versions, in some folders.
  package static func areThere(in folders: [URL]) -> Bool {
    folders.contains { (try? $0.mappingModels)?.isEmpty == false }
  }

  /// How many version hashes it has to be told by.
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
