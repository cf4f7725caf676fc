public import Foundation
public import ManagedObjects

/// Which queue a context's work is done on.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The caller's thread.
  case confinementConcurrencyType
  /// A queue of its own.
  case privateQueueConcurrencyType
  /// The main queue.
  case mainQueueConcurrencyType
}

extension ManagedObjectContext {
  /// Which queue a context's work is done on, by its newer name.
  public enum ConcurrencyType: Sendable {
    /// A queue of its own.
    case privateQueue
    /// The main queue.
    case mainQueue
  }

  /// How work gets to its turn.
  public enum ScheduledTaskType: Sendable {
    /// At once where the queue is the caller's, else after what was asked for before.
    case immediate
    /// After what was asked for before.
    case enqueued
  }

  /// Creates a context that gets its coordinator, or its parent, before it is used.
  ///
  ///     let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  ///     context.parent = container.viewContext
  public convenience init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.init(
      persistentStoreCoordinator: PersistentStoreCoordinator(
        managedObjectModel: ManagedObjectModel(entities: [])))
    let queue = ContextQueue(concurrencyType)
    companion = queue
    if ContextOwner.isAskedFor, concurrencyType != .confinementConcurrencyType {
      owner = ContextOwner(
        concurrencyType == .mainQueueConcurrencyType ? "the main queue" : "its queue"
      ) { [unowned queue] in queue.isCurrent }
    }
    postNotifications()
  }

  /// Creates a context that gets its coordinator, or its parent, before it is used.
  public convenience init(_ type: ConcurrencyType) {
    self.init(
      concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    )
  }

  /// Which queue the context's work is done on.
  public var concurrencyType: NSManagedObjectContextConcurrencyType { contextQueue.type }

  /// What the program keeps beside the context.
  public var userInfo: NSMutableDictionary { contextQueue.userInfo }

  /// The coordinator whose stores the context reads and writes; nil until it has one.
  ///
  /// - Precondition: it is set before the context is used, and not taken away.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    get {
      let coordinator = storeCoordinator
      return coordinator.managedObjectModel.entities.isEmpty ? nil : coordinator
    }
    set {
      guard let newValue else { fatalError("A context cannot lose its coordinator.") }
      adopt(newValue, parent: nil)
    }
  }

  /// The context that this one reads from and saves into; from then on both work on its queue.
  ///
  /// - Precondition: it is set before the context is used, and not taken away.
  public var parent: ManagedObjectContext? {
    get { parentContext }
    set {
      guard let newValue else { fatalError("A context cannot lose its parent.") }
      adopt(newValue.storeCoordinator, parent: newValue)
      contextQueue.join(newValue.contextQueue)
    }
  }

  /// Does work on the context's queue, later.
  ///
  ///     func saveLater() { context.perform { try? context.save() } }
  ///
  /// On the main queue only a program that runs it gets to it: `RunLoop.main.run()`,
  /// `dispatchMain()`.
  public func perform(_ block: @escaping () -> Void) {
    // The context stays until its work is done.
    contextQueue.async { withExtendedLifetime(self, block) }
  }

  /// Does work on the context's queue, and waits for it.
  ///
  ///     let count = try context.performAndWait { try context.count(for: request) }
  ///
  /// On the caller's thread, where that is the queue's already. Not for asynchronous functions: it
  /// holds up their threads; they await `perform(schedule:_:)`.
  ///
  /// - Throws: what the body throws.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try contextQueue.sync(block)
  }

  /// Does work on the context's queue, for one who awaits it.
  ///
  ///     let count = try await context.perform { try context.count(for: request) }
  ///
  /// - Throws: what the body throws.
  public func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await contextQueue.run(block)
  }
}
