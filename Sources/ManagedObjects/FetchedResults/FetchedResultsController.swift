import DataModel
import SystemLibraries

/// Manages the results of a fetch request in sections, and reports every change of them.
///
///     var request = Walk.fetchRequest()
///     request.sortDescriptors = [.init(key: "dog.name"), .init(key: "date")]
///     let controller = FetchedResultsController(
///       fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dog.name")
///     try controller.performFetch()
///     controller.onChange = { changes in
///       for change in changes { list.apply(change) }
///     }
///     controller.object(at: .init(section: 0, item: 2))
///
/// It follows each event of its context: at `processPendingChanges()`, after a save, a merge, a
/// refresh or a rollback. Unsaved changes are taken into account unless the request excludes them.
/// Events that affect none of its objects cost only a look at the changes, unless a closure or a
/// class names the sections; others are O(n) in memory. It fetches again after a merge, a refresh
/// or a rollback; if an object was changed on which the predicate, order or section of other
/// objects depends; and after each event that affects it if its list cannot be kept in memory
/// alone: the request has a limit or an offset, excludes unsaved changes or values, concerns
/// several stores or compares with all objects (`@max.date`), or its sections are not adjacent. It
/// retains its objects, and stays in the context's isolation; `changes()` may be read elsewhere.
/// After a `reset()` of its context it has to fetch again. Follows Core Data's
/// `NSFetchedResultsController`.
public final class FetchedResultsController<Result: ManagedObject> {
  /// The fetch request; a change takes effect with the next `performFetch()`.
  public var fetchRequest: FetchRequest<Result>
  /// The context that the objects are fetched in.
  public let managedObjectContext: ManagedObjectContext
  /// The key path of the sections' names, or nil.
  ///
  /// It leads to an attribute, through to-ones and composites, or to a key that the class defines
  /// itself: for a key that is not a property, the object's `value(forUndefinedKey:)` is called.
  public let sectionNameKeyPath: String?
  /// The name of the cache in which the list is stored on disk; nil for none.
  public let cacheName: String?
  /// The folder of the caches; nil for the default one.
  var cacheFolder: URL?
  /// The sections, in the order of their first objects; empty before `performFetch()`.
  ///
  /// Without section names there is one section with an empty name, even if it has no objects.
  public private(set) var sections: [FetchedResultsSection<Result>] = []
  /// Called with the steps from the old list to the new one, after `sections` has changed.
  public var onChange: (([FetchedResultsChange]) -> Void)?
  /// Notified of the same steps one by one; a weak reference.
  public weak var delegate: (any FetchedResultsControllerDelegate<Result>)?
  /// The error of the last update after an event, or nil.
  ///
  /// After an error the list is unchanged, and the next event includes the missed changes.
  public private(set) var lastError: (any Error)?

  /// The parsed key path; nil if there is none.
  let sectionKeyPath: SectionNameKeyPath?
  private let sectionName: (Result) -> String
  private let isNamedByClosure: Bool
  /// A copy of the request at the last `performFetch()`.
  private var performed: FetchRequest<Result>
  /// The objects that were changed in events since an update failed; nil if the last one succeeded.
  private var missed: [ManagedObject]?
  /// The temporary IDs of the objects that were reported with them.
  private var temporaryIDs: [ObjectIdentifier: ManagedObjectID] = [:]
  /// Whether the objects of each section are adjacent in the request's order.
  private var isContiguous = true
  /// The number of fetches from the store.
  private(set) var fetchCount = 0
  private var observations: [ContextObservation] = []
  private var streams: [AsyncStream<[FetchedResultsChange]>.Continuation] = []

  /// Creates a controller; it has no objects until `performFetch()`.
  ///
  /// With a key path, objects with the same value form a section. To keep sections contiguous, sort
  /// by that value first, or by one with the same order. nil puts all objects into one section.
  ///
  /// With a cache name the list is stored in the user's cache folder, and the next controller of
  /// that name has it at once, with its objects as faults that are fetched in batches, if the
  /// request, the sections, the model and the store are the same, and the store has not been
  /// written since. A list is stored only if it comes from the only store of the coordinator, a
  /// SQLite store, and the context has no parent and no unsaved changes; and not if it depends on
  /// the time, a comparator, a closure or a key that is not an attribute, or if its sections are
  /// named by objects that were read before the fetch. Requests with `affectedStores`, and fetches
  /// in `performReading`, are not cached.
  ///
  ///     FetchedResultsController(
  ///       fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dog.name",
  ///       cacheName: "walks")
  ///
  /// - Precondition: the key path leads through to-ones to an attribute, or to a key for which the
  ///   objects' class overrides `value(forUndefinedKey:)`.
  public convenience init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) {
    let keyPath = sectionNameKeyPath.map { SectionNameKeyPath($0) }
    self.init(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName, isNamedByClosure: false
    ) { keyPath?.name(of: $0) ?? "" }
  }

  /// Creates a controller whose section names are computed by a closure.
  ///
  ///     FetchedResultsController(fetchRequest: request, managedObjectContext: context) { walk in
  ///       walk.month
  ///     }
  public convenience init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionName: @escaping (Result) -> String
  ) {
    self.init(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: nil, cacheName: nil, isNamedByClosure: true, sectionName: sectionName)
  }

  private init(
    fetchRequest: FetchRequest<Result>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?, isNamedByClosure: Bool,
    sectionName: @escaping (Result) -> String
  ) {
    self.cacheName = cacheName
    self.isNamedByClosure = isNamedByClosure
    self.fetchRequest = fetchRequest
    performed = fetchRequest
    self.managedObjectContext = managedObjectContext
    self.sectionNameKeyPath = sectionNameKeyPath
    sectionKeyPath = sectionNameKeyPath.map { SectionNameKeyPath($0) }
    self.sectionName = sectionName
  }

  deinit { for stream in streams { stream.finish() } }

  // MARK: Fetching

  /// Fetches the objects and begins to follow their changes; reports nothing.
  ///
  /// - Throws: Errors of `ManagedObjectContext.fetch(_:)`.
  public func performFetch() throws {
    performed = fetchRequest
    let cache = cache(for: performed)
    if let cached = try sections(in: cache) {
      isContiguous = true
      show(cached)
    } else {
      // Objects that were read before may have older names than the store.
      let isOfStore = try cache != nil && !holdsNames(for: performed)
      show(try fetchSections())
      if isContiguous, isOfStore { keep(sections, in: cache) }
    }
    (lastError, missed) = (nil, nil)
    guard observations.isEmpty else { return }
    observations = [
      // Also if an object was inserted and deleted in one event: the fetch may have found it in
      // between.
      managedObjectContext.observe(.objectsDidChange, hearsAll: true) { [weak self] in
        self?.follow($0)
      },
      // Inserted objects have new IDs, and may be at other indexes.
      managedObjectContext.observe(.didSave) { [weak self] in
        guard !$0.inserted.isEmpty else { return }
        self?.follow(ObjectChanges(inserted: $0.inserted))
      },
    ]
  }

  /// Updates the list after an event and reports the changes.
  private func follow(_ changes: ObjectChanges) {
    let (newIDs, renamed) = permanentIDs()
    let changed = (missed ?? []) + changes.updated + changes.refreshed
    do {
      // Objects that compare equal are sorted by key.
      var changes = changes
      changes.updated += renamed
      let new = try sections(after: changes)
      (lastError, missed) = (nil, nil)
      guard let new else { return report(newIDs, sections) }
      let difference = FetchedResultsDifference(
        from: sections, to: new, changed: Set(changed.map { ObjectIdentifier($0) }))
      report(newIDs + difference.changes, new)
    } catch {
      // The next event includes the missed changes.
      (lastError, missed) = (error, changed)
      report(newIDs, sections)
    }
  }

  /// The sections after an event; nil if it affects none of the objects.
  private func sections(after changes: ObjectChanges) throws -> [FetchedResultsSection<Result>]? {
    guard isContiguous, missed == nil,
      let update = try FetchedResultsUpdate(
        performed, names: sectionKeyPath, changes, in: managedObjectContext)
    else { return try fetchSections() }
    return updated(by: update, changes)
  }

  /// The objects with new permanent IDs that were reported with temporary ones, and the steps for
  /// them.
  private func permanentIDs() -> (steps: [FetchedResultsChange], objects: [Result]) {
    guard !temporaryIDs.isEmpty else { return ([], []) }
    var steps: [FetchedResultsChange] = []
    var objects: [Result] = []
    for (section, content) in sections.enumerated() {
      for (item, object) in content.objects.enumerated() where object._key > 0 {
        guard let id = temporaryIDs[ObjectIdentifier(object)] else { continue }
        steps.append(
          .obtainPermanentID(
            object.objectID, insteadOf: id,
            at: FetchedResultsIndexPath(section: section, item: item)))
        objects.append(object)
      }
    }
    return (steps, objects)
  }

  /// Replaces the sections.
  private func show(_ new: [FetchedResultsSection<Result>]) {
    sections = new
    temporaryIDs.removeAll()
    for object in new.lazy.flatMap(\.objects) where object._key < 0 {
      temporaryIDs[ObjectIdentifier(object)] = object.objectID
    }
  }

  private func report(
    _ changes: [FetchedResultsChange], _ new: [FetchedResultsSection<Result>]
  ) {
    guard !changes.isEmpty else { return show(new) }
    // A delegate receives objects, which know their IDs.
    let steps = changes.filter { !$0.isAboutID }
    guard let delegate, !steps.isEmpty else {
      show(new)
      return tell(changes)
    }
    var objects: [ManagedObjectID: Result] = [:]
    for section in sections + new {
      for object in section.objects { objects[object.objectID] = object }
    }
    delegate.controllerWillChangeContent(self)
    show(new)
    for change in steps { delegate.tell(change, of: self) { objects[$0] } }
    delegate.controllerDidChangeContent(self)
    tell(changes)
  }

  private func tell(_ changes: [FetchedResultsChange]) {
    onChange?(changes)
    streams.removeAll {
      // The reader has ended.
      if case .terminated = $0.yield(changes) { true } else { false }
    }
  }

  /// The sections after an event; nil if it affects none of the objects.
  private func updated(
    by update: FetchedResultsUpdate<Result>, _ changes: ObjectChanges
  ) -> [FetchedResultsSection<Result>]? {
    var touched: Set<ObjectIdentifier> = []
    var entering: [Result] = []
    for object in changes.inserted + changes.updated where update.isOfFamily(object) {
      guard touched.insert(ObjectIdentifier(object)).inserted else { continue }
      // The request's entity was checked to have only objects of the class.
      if update.contains(object) { entering.append(unsafeDowncast(object, to: Result.self)) }
    }
    for object in changes.deleted + changes.insertedAndDeleted where update.isOfFamily(object) {
      touched.insert(ObjectIdentifier(object))
    }
    // A name that a closure or a class computes may depend on any object.
    guard !touched.isEmpty || isNamedByClosure || update.isNamedByClass else { return nil }
    let staying = sections.flatMap { section in
      section.objects.filter {
        !touched.contains(ObjectIdentifier($0))
          && $0._state.isDisjoint(with: [.deleted, .detached])
      }
    }
    return sections(of: update.merging(entering, into: staying))
  }

  private func fetchSections() throws -> [FetchedResultsSection<Result>] {
    fetchCount += 1
    return sections(of: try managedObjectContext.fetch(performed))
  }

  private func sections(of objects: [Result]) -> [FetchedResultsSection<Result>] {
    var sections: [FetchedResultsSection<Result>] = []
    var indexes: [String: Int] = [:]
    isContiguous = true
    guard sectionNameKeyPath != nil || isNamedByClosure else {
      return [FetchedResultsSection(name: "", objects: objects)]
    }
    for object in objects {
      let name = sectionName(object)
      if let last = sections.indices.last, sections[last].name == name {
        sections[last].objects.append(object)
      } else if let index = indexes[name] {
        isContiguous = false
        sections[index].objects.append(object)
      } else {
        indexes[name] = sections.count
        sections.append(FetchedResultsSection(name: name, objects: [object]))
      }
    }
    return sections
  }

  // MARK: Results

  /// All objects, section after section.
  public var fetchedObjects: [Result] { sections.flatMap(\.objects) }

  /// The object at an index.
  ///
  /// - Precondition: there is an object at that index.
  public func object(at indexPath: FetchedResultsIndexPath) -> Result {
    require(
      sections.indices.contains(indexPath.section)
        && sections[indexPath.section].objects.indices.contains(indexPath.item),
      "There is no object at \(indexPath).")
    return sections[indexPath.section].objects[indexPath.item]
  }

  /// The position of an object, or nil if it is not in the results; O(n).
  public func indexPath(forObject object: Result) -> FetchedResultsIndexPath? {
    for (section, content) in sections.enumerated() {
      if let item = content.objects.firstIndex(where: { $0 === object }) {
        return FetchedResultsIndexPath(section: section, item: item)
      }
    }
    return nil
  }

  /// The sections' index titles without duplicates, in the sections' order.
  public var sectionIndexTitles: [String] {
    var titles: [String] = []
    for section in sections {
      if let title = section.indexTitle, !titles.contains(title) { titles.append(title) }
    }
    return titles
  }

  /// The first section with an index title, or nil if there is none.
  public func section(forSectionIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }

  // MARK: Reports

  /// The reports from now on, for any isolation; ends with the controller.
  ///
  ///     for await changes in controller.changes() { await screen.apply(changes) }
  ///
  /// Reports are buffered until they are read; none is dropped.
  public func changes() -> AsyncStream<[FetchedResultsChange]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [FetchedResultsChange].self)
    streams.append(continuation)
    return stream
  }
}

@available(*, unavailable) extension FetchedResultsController: Sendable {}
