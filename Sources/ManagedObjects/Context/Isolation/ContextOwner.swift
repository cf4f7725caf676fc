import Dispatch
import SystemLibraries

/// The actor, queue or thread that may use a context, if the process checks it.
///
/// The check is enabled with `-com.apple.CoreData.ConcurrencyDebug 1` among the arguments, or
/// `MANAGEDOBJECTS_CONCURRENCYDEBUG=1`.
///
/// The compiler keeps contexts and objects in their isolation; `nonisolated(unsafe)` and
/// `@unchecked Sendable` disable that. This finds the violation. Without the check a context has no
/// owner. With one, its objects' accessors look slots up by name, and check the caller there: so
/// the fast path of an accessor is free of the check.
package struct ContextOwner {
  /// A description for messages: "the main actor".
  let name: String
  /// Whether the code that calls this closure is running on the owner.
  let isCaller: () -> Bool

  /// Creates an owner.
  package init(_ name: String, isCaller: @escaping () -> Bool) {
    self.name = name
    self.isCaller = isCaller
  }

  /// Whether the process has enabled the check.
  package static let isAskedFor: Bool = {
    let level =
      DebugOutput.level(
        behind: "-com.apple.CoreData.ConcurrencyDebug", in: CommandLine.unsafeArgv)
      ?? getenv("MANAGEDOBJECTS_CONCURRENCYDEBUG").flatMap { Int(String(cString: $0)) }
    return level ?? 0 > 0
  }()

  /// The main actor, whose work runs on the main queue, on whichever thread.
  static var mainActor: ContextOwner? {
    guard isAskedFor else { return nil }
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    return ContextOwner("the main actor") { DispatchQueue.getSpecific(key: mainQueueMark) != nil }
  }

  private static let mainQueueMark = DispatchSpecificKey<Bool>()

  /// The current thread.
  static func thisThread(_ name: String) -> ContextOwner? {
    guard isAskedFor else { return nil }
    let thread = pthread_self()
    return ContextOwner(name) { pthread_equal(pthread_self(), thread) != 0 }
  }
}

@available(*, unavailable) extension ContextOwner: Sendable {}

extension ManagedObjectContext {
  /// Traps if the context, or an object of it, is used outside its owner.
  func checkCaller(_ entityName: @autoclosure () -> String? = nil) {
    guard let owner, !owner.isCaller() else { return }
    let context = name.map { "the context \"\($0)\"" } ?? "a context"
    let what = entityName().map { "Using an object of \($0) in \(context)" } ?? "Using \(context)"
    fatalError(
      "\(what) is allowed only within \(owner.name): pass object IDs elsewhere instead.")
  }
}
