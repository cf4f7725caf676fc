public import DataModel
public import SystemLibraries

/// The parameters with which a coordinator creates a custom store; see ``CustomStore``.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       let path: String
///
///       required init(_ opening: StoreParameters) {
///         path = opening.url?.path ?? "."
///         super.init(opening)
///       }
///     }
public struct StoreParameters: Sendable {
  /// The description of the store: its type, URL and options.
  public let description: PersistentStoreDescription
  /// The part of the model that the store holds.
  public let managedObjectModel: ManagedObjectModel
  /// The URL of the store; nil if it has none or determines its own location.
  public var url: URL? { description.url }
  /// The number of entities that the coordinator already has.
  let offset: Int
}
