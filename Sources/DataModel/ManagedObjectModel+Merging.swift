extension ManagedObjectModel {
  /// Creates one model from several, like Core Data's `modelByMergingModels:`.
  ///
  ///     let model = try ManagedObjectModel(byMerging: [.dogWalk, .places])
  ///
  /// An entity that is equal in several models is included once, and relationships may refer to
  /// entities of another model. Entities of configurations with the same name are combined.
  ///
  /// - Throws: ``ModelMergeError`` if two models have different entities, or different fetch
  ///   requests, with the same name.
  public init(byMerging models: [ManagedObjectModel]) throws(ModelMergeError) {
    if models.count == 1 {
      self = models[0]
      return
    }
    var entities: [EntityDescription] = []
    var byName: [String: EntityDescription] = [:]
    var templates: [String: FetchRequestDescription] = [:]
    for model in models {
      for entity in model.entities {
        if let known = byName.updateValue(entity, forKey: entity.name) {
          guard known == entity else { throw .differentEntities(name: entity.name) }
        } else {
          entities.append(entity)
        }
      }
      for (name, template) in model.fetchRequestTemplatesByName {
        if let known = templates.updateValue(template, forKey: name), known != template {
          throw .differentFetchRequests(name: name)
        }
      }
    }
    // Slots that momc numbered may change: a destination can gain subentities. So the merged model
    // is not a compiled one, and its hashes, which cannot change, are computed again.
    self.init(
      entities: entities,
      versionIdentifiers: models.flatMap(\.versionIdentifiers).withoutRepetitions,
      configurations: models.map(\.entityNamesByConfiguration).reduce(into: [:]) { all, next in
        all.merge(next) { ($0 + $1).withoutRepetitions }
      },
      fetchRequestTemplates: templates,
      classes: models.map(\.classes).reduce(into: [:]) { all, next in
        all.merge(next) { first, _ in first }
      })
  }
}

extension [String] {
  /// The strings in their order, without duplicates.
  fileprivate var withoutRepetitions: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
