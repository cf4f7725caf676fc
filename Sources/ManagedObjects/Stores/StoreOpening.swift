public import DataModel
public import SystemLibraries

/// What a coordinator makes a store of a program's own with; see ``CustomStore``.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       let path: String
///
///       required init(_ opening: StoreOpening) {
///         path = opening.url?.path ?? "."
///         super.init(opening)
///       }
///     }
public struct StoreOpening: Sendable {
  /// How the store was described: its kind, its place, its options.
  public let description: PersistentStoreDescription
  /// The part of the model that the store holds.
  public let managedObjectModel: ManagedObjectModel
  /// Where the store is; nil for one that is nowhere, or at a place that it knows itself.
  public var url: URL? { description.url }
  /// How many entities the coordinator has already.
  let offset: Int
}
