/// A part of a staged migration.
///
/// Follows Core Data's `NSLightweightMigrationStage` and `NSCustomMigrationStage`.
public struct MigrationStage: Sendable {
  /// Custom code that works on a store that is being migrated.
  ///
  /// The container has the store in its current state, with plain managed objects; it is valid
  /// until the handler returns.
  public typealias Handler = @Sendable (PersistentContainer) throws -> Void

  /// The versions of the model in this stage, the oldest first.
  let models: [ManagedObjectModel]
  let willMigrate: Handler
  let didMigrate: Handler

  /// Creates a stage that migrates through versions by inferred mappings.
  ///
  /// - Parameter models: the versions, the oldest first.
  public static func lightweight(_ models: [ManagedObjectModel]) -> MigrationStage {
    MigrationStage(models: models, willMigrate: { _ in }, didMigrate: { _ in })
  }

  /// Creates a stage from one version to the next by an inferred mapping, with custom code.
  ///
  /// - Parameters:
  ///   - source: the version that it begins with.
  ///   - destination: the version that it ends with.
  ///   - willMigrate: called while the store has the first version.
  ///   - didMigrate: called when it has the second.
  public static func custom(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    willMigrate: @escaping Handler = { _ in }, didMigrate: @escaping Handler = { _ in }
  ) -> MigrationStage {
    MigrationStage(
      models: [source, destination], willMigrate: willMigrate, didMigrate: didMigrate)
  }
}
