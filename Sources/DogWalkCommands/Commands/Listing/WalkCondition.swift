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
    if let (position, date) = Self.date(in: typed, isBare: true) {
      throw Complaint(
        unreadable: typed, position: position,
        reason: "\(date) is a subtraction here; \(Self.periods)")
    }
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
      let hint = Self.date(in: typed, isBare: false) == nil ? "" : "; \(Self.periods)"
      throw Complaint(
        unreadable: typed, position: error.position, reason: error.reason.withoutFullStop + hint)
    }
  }

  private static let periods = "--since and --until select days"

  /// Returns the first date, as in `date > 2026-11-20`, and its position in UTF-8.
  ///
  /// - Parameter isBare: Whether it has to be outside of quotation marks.
  private static func date(in text: String, isBare: Bool) -> (position: Int, date: String)? {
    let bytes = Array(text.utf8)
    let count = "2026-11-20".utf8.count
    var mark: UInt8?
    for (position, byte) in bytes.enumerated() {
      if isBare, mark != nil || [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(byte) {
        mark = mark == nil ? byte : mark == byte ? nil : mark
      } else if position + count <= bytes.count {
        let word = String(decoding: bytes[position..<position + count], as: UTF8.self)
        if let date = WrittenDate(word), (try? date.civilDate()) != nil { return (position, word) }
      }
    }
    return nil
  }
}

@available(*, unavailable)
extension WalkCondition: Sendable {}

extension Complaint {
  /// Creates the complaint about a condition, with a caret if the position is known.
  fileprivate init(unreadable typed: String, position: Int?, reason: String) {
    let sentence = reason.withoutFullStop
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

extension String {
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
