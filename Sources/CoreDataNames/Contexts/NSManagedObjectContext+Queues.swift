extension ManagedObjectContext {
  /// The queue on which a context's work is done, by its newer name.
  public enum ConcurrencyType: Sendable {
    /// A queue of its own.
    case privateQueue
    /// The main queue.
    case mainQueue
  }

  /// How work is scheduled.
  public enum ScheduledTaskType: Sendable {
    /// Immediately if the caller is on the queue, otherwise after the work enqueued before.
    case immediate
    /// After the work enqueued before.
    case enqueued
  }

  /// Creates a context whose coordinator, or parent, is set before it is used.
  ///
  ///     let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  ///     context.parent = container.viewContext
  public convenience init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.init(
      persistentStoreCoordinator: PersistentStoreCoordinator(
        managedObjectModel: ManagedObjectModel(entities: [])))
    let queue = ContextQueue(concurrencyType, of: self)
    companion = queue
    if ContextOwner.isAskedFor, concurrencyType != .confinementConcurrencyType {
      owner = ContextOwner(
        concurrencyType == .mainQueueConcurrencyType ? "the main queue" : "its queue"
      ) { [unowned queue] in queue.isCurrent }
    }
    postNotifications()
  }

  /// Creates a context whose coordinator, or parent, is set before it is used.
  public convenience init(_ type: ConcurrencyType) {
    self.init(
      concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    )
  }

  /// The queue on which the context's work is done.
  public var concurrencyType: NSManagedObjectContextConcurrencyType { contextQueue.type }

  /// Custom values that the program associates with the context.
  public var userInfo: NSMutableDictionary { contextQueue.userInfo }

  /// The coordinator whose stores the context reads and writes; nil until it is set.
  ///
  /// - Precondition: the coordinator is set before the context is used, and not to nil.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    get {
      let coordinator = storeCoordinator
      return coordinator.managedObjectModel.entities.isEmpty ? nil : coordinator
    }
    set {
      guard let newValue else { fatalError("A context cannot lose its coordinator.") }
      adopt(newValue, parent: nil)
      if mergesAutomatically { automaticallyMergesChangesFromParent = true }
    }
  }

  /// The context that this one reads from and saves into, and whose queue it then uses.
  ///
  /// With a child of the main queue, the parent works on the main queue from then on.
  ///
  /// - Precondition: the parent is set before the context is used, and not to nil.
  public var parent: ManagedObjectContext? {
    get { parentContext }
    set {
      guard let newValue else { fatalError("A context cannot lose its parent.") }
      adopt(newValue.storeCoordinator, parent: newValue)
      contextQueue.join(newValue.contextQueue)
      if mergesAutomatically { automaticallyMergesChangesFromParent = true }
    }
  }

  /// Runs a block on the context's queue, asynchronously, and ends the event after it.
  ///
  ///     func saveLater() { context.perform { try? context.save() } }
  ///
  /// On the main queue it runs only if the program runs that queue: `RunLoop.main.run()`,
  /// `dispatchMain()`.
  public func perform(_ block: @escaping () -> Void) {
    // The context is retained until the block has run.
    contextQueue.async {
      block()
      self.processPendingChanges()
    }
  }

  /// Runs a block on the context's queue, and waits for it.
  ///
  ///     let count = try context.performAndWait { try context.count(for: request) }
  ///
  /// Runs on the caller's thread if that is on the queue already. Not for asynchronous functions,
  /// whose threads it blocks; they await `perform(schedule:_:)`.
  ///
  /// - Throws: errors that the block throws.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try contextQueue.sync(block)
  }

  /// Does work on the context's queue, and suspends the caller until it is done.
  ///
  ///     let count = try await context.perform { try context.count(for: request) }
  ///
  /// Runs it right away if the caller is on the queue already, unless it is to be enqueued;
  /// otherwise the event ends after it, as with the other `perform(_:)`.
  ///
  /// - Throws: what the body throws.
  public func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if schedule == .immediate, contextQueue.isCurrent { return try block() }
    return try await contextQueue.run { () throws(Failure) -> Result in
      defer { self.processPendingChanges() }
      return try block()
    }
  }
}
