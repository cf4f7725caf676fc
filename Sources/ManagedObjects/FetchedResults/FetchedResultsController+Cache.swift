extension FetchedResultsController {
  /// Deletes a cache, or all of this program's with nil.
  ///
  ///     FetchedResultsController<Walk>.deleteCache(withName: "walks")
  ///
  /// This is not necessary after changes: a cache is used only if request, model and store match.
  /// Follows Core Data's `deleteCache(withName:)`.
  public static func deleteCache(withName name: String?) {
    FetchedResultsCache.delete(named: name, in: nil)
  }

  /// The cache for a request; nil if there is none.
  func cache(for request: FetchRequest<Result>) -> FetchedResultsCache? {
    guard let cacheName else { return nil }
    if let sectionKeyPath {
      // Section names that a class computes may change independently of the store.
      guard let entity = try? managedObjectContext.entities(askedBy: request).first?.binding,
        sectionKeyPath.leadsToAttribute(from: entity, in: managedObjectContext)
      else { return nil }
    }
    return FetchedResultsCache(
      named: cacheName, in: cacheFolder, for: request, sectionNameKeyPath: sectionNameKeyPath,
      in: managedObjectContext)
  }

  /// The sections in a cache, with objects that are fetched in batches; nil if it has none.
  func sections(
    in cache: FetchedResultsCache?
  ) throws -> [FetchedResultsSection<Result>]? {
    guard let cached = cache?.read() else { return nil }
    try managedObjectContext.adoptStoresOrThrow()
    var sections: [FetchedResultsSection<Result>] = []
    for section in cached {
      var objects: [Result] = []
      objects.reserveCapacity(section.objects.count)
      for (key, index) in section.objects {
        guard managedObjectContext.hasEntity(at: index) else { return nil }
        guard let object = managedObjectContext.fault(key, entity: index) as? Result else {
          return nil
        }
        objects.append(object)
      }
      sections.append(FetchedResultsSection(name: section.name, objects: objects))
    }
    let size = fetchRequest.fetchBatchSize > 0 ? fetchRequest.fetchBatchSize : 100
    try managedObjectContext.batch(sections.flatMap(\.objects), by: size)
    return sections
  }

  /// Whether the context has read rows before that section names depend on.
  func holdsNames(for request: FetchRequest<Result>) throws -> Bool {
    guard let sectionKeyPath,
      let entity = try managedObjectContext.entities(askedBy: request).first?.binding
    else { return false }
    let ends = entity.pathThroughToOnes(sectionKeyPath.keys, in: managedObjectContext)
      .map(\.destination)
    return Set(([entity.index] + ends).map { managedObjectContext.binding(at: $0).root })
      .contains { root in
        managedObjectContext.contextEntity(at: root).table.objects.contains { $0._slots != nil }
      }
  }

  /// Writes the sections to a cache.
  func keep(_ sections: [FetchedResultsSection<Result>], in cache: FetchedResultsCache?) {
    cache?.write(
      sections.map { section in
        .init(
          name: section.name,
          objects: section.objects.map { ($0._key, $0._entity.binding.index) })
      })
  }
}

extension ManagedObjectContext {
  fileprivate func hasEntity(at index: Int) -> Bool { entities.indices.contains(index) }

  /// The object with a key of exactly one entity: the registered one, or a new fault.
  fileprivate func fault(_ key: Int64, entity index: Int) -> ManagedObject {
    registeredObject(key, of: index)
      ?? makeObject(key, entity: contextEntity(at: index), row: nil)
  }
}
