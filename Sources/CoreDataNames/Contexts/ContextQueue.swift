import Dispatch
import Foundation
import ManagedObjects

/// The queue that a context works on, with the properties that only Core Data's contexts have.
///
/// A context of the library belongs to an isolation and knows no queue. One that is used through
/// `perform` gets this beside it; what keeps its objects apart from others' threads is then the
/// queue, and no longer the compiler, just as in Core Data.
final class ContextQueue: @unchecked Sendable {
  // Unchecked: the queue alone is used from elsewhere; the rest on it.

  let type: NSManagedObjectContextConcurrencyType
  private var queue: DispatchQueue
  /// What hears of the context's saves and changes for Foundation's notifications.
  var observations: [ContextObservation] = []
  /// The program's own.
  let userInfo = NSMutableDictionary()

  private static let current = DispatchSpecificKey<ObjectIdentifier>()

  init(_ type: NSManagedObjectContextConcurrencyType) {
    self.type = type
    queue =
      type == .mainQueueConcurrencyType ? .main : DispatchQueue(label: "NSManagedObjectContext")
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(queue))
  }

  /// Has work be done where a parent's is: a child looks into its parent's objects.
  func join(_ parent: ContextQueue) { queue = parent.queue }

  /// Whether the caller runs on the queue already; the main queue need not run on the main thread.
  var isCurrent: Bool {
    DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(queue)
  }

  /// Does work later, after what was asked for before.
  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    queue.async { work.body() }
  }

  /// Does work and waits for it; at once where the caller is on the queue.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    if isCurrent { return try work() }
    return try queue.sync(execute: work)
  }

  /// Does work, for one who awaits it.
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

  /// Work on its way to the queue: as in Core Data, nobody else may use what it holds meanwhile.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }

  /// What work gave on its way back, likewise.
  private struct Box<Value, Failure: Error>: @unchecked Sendable {
    let result: Result<Value, Failure>
  }
}

extension ManagedObjectContext {
  /// The queue of the context, made where it had none.
  var contextQueue: ContextQueue {
    if let queue = companion as? ContextQueue { return queue }
    let queue = ContextQueue(.privateQueueConcurrencyType)
    companion = queue
    return queue
  }
}
