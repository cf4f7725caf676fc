import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// What `--where` asks of walks.
struct WalkCondition {
  /// As it was typed.
  let typed: String
  /// What it means.
  let predicate: FetchPredicate

  /// Reads a condition; `now()` in it is the moment given.
  ///
  /// - Throws: `Complaint` with a caret below the mistake.
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
  /// The message about a condition, with a caret where that is known.
  fileprivate init(unreadable typed: String, position: Int?, reason: String) {
    let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    guard let position else {
      self.init(.usage, "--where cannot be used: \(sentence)", hint: "See dogwalk help list.")
      return
    }
    // Line ends become visible, so that the line is one.
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
