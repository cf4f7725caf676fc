/// The result of migrating a store to another model.
public struct MigrationResult: Sendable, Hashable {
  /// The mapping of its objects to the new model.
  public let mapping: MappingModel
  /// Whether the store's undo log was dropped, since it referred to rows in their old form.
  public let droppedUndoLog: Bool
}
