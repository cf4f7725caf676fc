/// Why models could not be merged.
///
///     do throws(ModelMergeError) {
///       _ = try ManagedObjectModel(byMerging: [oldModel, newModel])
///     } catch {
///       print(error)   // The models have two different entities named 'Dog'.
///     }
public enum ModelMergeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two different entities have this name.
  case differentEntities(name: String)
  /// Two different fetch requests of the models have this name.
  case differentFetchRequests(name: String)

  /// The problem, in one sentence.
  public var description: String {
    switch self {
    case .differentEntities(let name): "The models have two different entities named '\(name)'."
    case .differentFetchRequests(let name):
      "The models have two different fetch requests named '\(name)'."
    }
  }
}
