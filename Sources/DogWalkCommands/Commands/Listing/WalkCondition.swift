import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// The condition of `--where`.
struct WalkCondition {
  /// The typed text.
  let typed: String
  /// The predicate.
  let predicate: FetchPredicate

  /// Parses a condition; `now()` in it is the given moment.
  ///
  /// - Throws: `Complaint` with a caret below the error.
  init(_ typed: String, at moment: Date) throws(Complaint) {
    self.typed = typed
    let parsed: ParsedPredicate
    do throws(PredicateFormatError) {
      parsed = try ParsedPredicate(format: typed)
    } catch {
      throw Complaint(unreadable: typed, position: error.position, reason: error.reason)
    }
    predicate = parsed.predicate.at(moment)
    do throws(PredicateBindingError) {
      try parsed.check(entityName: "Walk", in: .dogWalk)
    } catch {
      throw Complaint(unreadable: typed, position: error.position, reason: error.reason)
    }
  }
}

@available(*, unavailable)
extension WalkCondition: Sendable {}

extension Complaint {
  /// Creates the complaint about a condition, with a caret if the position is known.
  fileprivate init(unreadable typed: String, position: Int?, reason: String) {
    let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    guard let position else {
      self.init(.usage, "--where cannot be used: \(sentence)", hint: "See dogwalk help list.")
      return
    }
    // Line ends are escaped, so that the text is a single line.
    let before = String(decoding: Array(typed.utf8)[..<position], as: UTF8.self).escapingControls
    let indent = String(repeating: " ", count: before.displayWidth)
    self.init(
      .usage,
      """
      --where cannot be used: \(sentence). See dogwalk help list.
        \(typed.escapingControls)
        \(indent)^
      """)
  }
}
