import Dispatch
import SystemLibraries

/// Who may use a context, where the process has asked to look: with
/// `-com.apple.CoreData.ConcurrencyDebug 1` among its arguments, or
/// `MANAGEDOBJECTS_CONCURRENCYDEBUG=1`.
///
/// The compiler keeps contexts and objects in their isolation; `nonisolated(unsafe)` and
/// `@unchecked Sendable` tell it not to. This finds the place. A context that is asked for nothing
/// has no owner, so nothing is looked up for it. Of one that has, accessors go by name, which is
/// where they look: so the usual way of an accessor knows nothing of this.
package struct ContextOwner {
  /// What it is, for people: "the main actor".
  let name: String
  /// Whether the caller is it.
  let isCaller: () -> Bool

  /// An owner.
  package init(_ name: String, isCaller: @escaping () -> Bool) {
    self.name = name
    self.isCaller = isCaller
  }

  /// Whether the process has asked to look.
  package static let isAskedFor: Bool = {
    let level =
      DebugOutput.level(
        behind: "-com.apple.CoreData.ConcurrencyDebug", in: CommandLine.unsafeArgv)
      ?? getenv("MANAGEDOBJECTS_CONCURRENCYDEBUG").flatMap { Int(String(cString: $0)) }
    return level ?? 0 > 0
  }()

  /// The main actor, whose work the main queue does, by whichever thread.
  static var mainActor: ContextOwner? {
    guard isAskedFor else { return nil }
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    return ContextOwner("the main actor") { DispatchQueue.getSpecific(key: mainQueueMark) != nil }
  }

  private static let mainQueueMark = DispatchSpecificKey<Bool>()

  /// The thread that asks for it.
  static func thisThread(_ name: String) -> ContextOwner? {
    guard isAskedFor else { return nil }
    let thread = pthread_self()
    return ContextOwner(name) { pthread_equal(pthread_self(), thread) != 0 }
  }
}

@available(*, unavailable) extension ContextOwner: Sendable {}

extension ManagedObjectContext {
  /// Traps where somebody else than its owner uses the context, or an object of it.
  func checkCaller(_ entityName: @autoclosure () -> String? = nil) {
    guard let owner, !owner.isCaller() else { return }
    let context = name.map { "the context \"\($0)\"" } ?? "a context"
    let what = entityName().map { "An object of \($0) in \(context)" } ?? "The use of \(context)"
    fatalError(
      "\(what) belongs to \(owner.name), and is used elsewhere: IDs may go there, objects may not.")
  }
}
