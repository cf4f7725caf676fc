import Dispatch
import Foundation
import ManagedObjects

/// The queue of a context, with the properties that only Core Data's contexts have.
///
/// A context of the library belongs to an isolation and has no queue. A context that is used
/// through `perform` is associated with one of these; its objects are then protected by the queue,
/// and no longer by the compiler, just as in Core Data.
final class ContextQueue: @unchecked Sendable {
  // Unchecked: only the queue is used on other threads; the rest on the queue.

  let type: NSManagedObjectContextConcurrencyType
  private(set) weak var context: ManagedObjectContext?
  /// The queue of a context without a parent; a child uses that of the topmost one.
  private var own: DispatchQueue
  private var parent: ContextQueue?
  /// The observations that post Foundation's notifications for the context's saves and changes.
  var observations: [ContextObservation] = []
  /// Follows the saves of other contexts while they are merged automatically; otherwise nil.
  var saveFollower: AutomaticMerger?
  /// Custom values of the program.
  let userInfo = NSMutableDictionary()

  private static let current = DispatchSpecificKey<ObjectIdentifier>()
  /// The main queue, shared by its contexts: on Linux `DispatchQueue.main` is another object each
  /// time it is asked for.
  private static let main = identified(.main)

  init(_ type: NSManagedObjectContextConcurrencyType, of context: ManagedObjectContext) {
    self.type = type
    self.context = context
    own =
      type == .mainQueueConcurrencyType
      ? Self.main : Self.identified(DispatchQueue(label: "NSManagedObjectContext"))
  }

  /// A queue by which work that runs on it can tell that it does.
  private static func identified(_ queue: DispatchQueue) -> DispatchQueue {
    queue.setSpecific(key: current, value: ObjectIdentifier(queue))
    return queue
  }

  /// Uses the queue of a parent, since a child accesses its parent's objects.
  ///
  /// A context of the main queue may be used on the main thread without `perform`, and so moves its
  /// parents there.
  func join(_ parent: ContextQueue) {
    self.parent = parent
    if type == .mainQueueConcurrencyType { topmost.own = Self.main }
  }

  private var topmost: ContextQueue { parent?.topmost ?? self }
  private var queue: DispatchQueue { topmost.own }

  /// Whether the caller runs on the queue already, or waits on it for the work that it runs now.
  ///
  /// The main queue need not run on the main thread.
  var isCurrent: Bool {
    let queue = ObjectIdentifier(queue)
    return DispatchQueue.getSpecific(key: Self.current) == queue
      || Thread.current.threadDictionary[queue] != nil
  }

  /// Runs work later, after the work enqueued before.
  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    queue.async { work.body() }
  }

  /// Runs work and waits for it; immediately if the caller is on the queue.
  ///
  /// A caller on another queue keeps that one in the meantime, and the work may come back to it.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    if isCurrent { return try work() }
    guard let kept = DispatchQueue.getSpecific(key: Self.current) else {
      return try queue.sync(execute: work)
    }
    let thread = Thread.current.threadDictionary
    thread[kept] = true
    defer { thread.removeObject(forKey: kept) }
    return try queue.sync(execute: work)
  }

  /// Runs work, and returns its result asynchronously.
  func run<Value, Failure: Error>(
    _ work: @escaping () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let box = await withCheckedContinuation {
      (continuation: CheckedContinuation<Box<Value, Failure>, Never>) in
      async {
        do throws(Failure) {
          continuation.resume(returning: Box(result: .success(try work())))
        } catch {
          continuation.resume(returning: Box(result: .failure(error)))
        }
      }
    }
    return try box.result.get()
  }

  /// Work sent to the queue: as in Core Data, the values it captures must not be used elsewhere in
  /// the meantime.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }

  /// The result of work sent back, likewise.
  private struct Box<Value, Failure: Error>: @unchecked Sendable {
    let result: Result<Value, Failure>
  }
}

extension ManagedObjectContext {
  /// The queue of the context, created if there was none.
  var contextQueue: ContextQueue {
    if let queue = companion as? ContextQueue { return queue }
    let queue = ContextQueue(.privateQueueConcurrencyType, of: self)
    companion = queue
    if let parentContext { queue.join(parentContext.contextQueue) }
    return queue
  }
}
