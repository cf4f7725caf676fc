extension MappingModel {
  /// Infers a mapping from one version of a model to another, or throws if that is impossible.
  ///
  ///     let mapping = try MappingModel.inferred(from: old, to: new)
  ///
  /// Entities and properties correspond if their names are the same, or if a renaming identifier in
  /// the destination is the name, or the renaming identifier, in the source. Attributes may be
  /// added and removed, become optional or required (with a default value), stored or derived, and
  /// move to superentities and subentities. Relationships may be added and removed, become ordered
  /// or unordered, and a to-one may become a to-many. Entities may be added and removed, and join
  /// or leave a hierarchy as long as no two are merged. Reads and writes nothing; takes
  /// microseconds an entity. Follows Core Data's
  /// `inferredMappingModel(forSourceModel:destinationModel:)`.
  ///
  /// - Throws: ``MigrationError`` with the first reason.
  public static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(MigrationError) -> MappingModel {
    try MappingInference(from: source, to: destination).mappingModel()
  }
}

extension AttributeDescription {
  /// Whether the stored value of another version of the attribute can be used.
  ///
  /// A derived attribute of another type is computed again.
  func keepsValue(of source: AttributeDescription?) -> Bool {
    guard let source, isDerived, source.isDerived else { return true }
    return type == source.type
  }
}
