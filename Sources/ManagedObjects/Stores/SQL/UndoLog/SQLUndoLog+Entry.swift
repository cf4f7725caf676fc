import TextMatching

/// The rows of `MO_UNDO`.
extension SQLUndoLog {
  /// An entry of the undo log.
  struct Entry {
    let serial: Int64
    let state: State
    let date: Double
    let name: String
    /// The author of the command; nil if none was given.
    let author: String?
    let bytes: [UInt8]

    /// Whether an author may undo it as their own: a command without an author belongs to everyone.
    ///
    /// Authors are compared without regard to case.
    func isOwn(of author: String?) -> Bool {
      guard let author, let own = self.author else { return true }
      return own == author || TextFolding.caseFolded(own) == TextFolding.caseFolded(author)
    }
  }

  /// The state of an entry, stored in `UNDONE`.
  enum State: Equatable {
    /// The command can be undone.
    case done
    /// The command was undone and can be redone.
    case undone
    /// Neither: its rows were changed since, and `undo` has skipped it.
    case skipped
    /// The command was undone, and another one was done since, whose serial number this is.
    case undoneForGood(before: Int64)

    init(_ number: Int64) {
      switch number {
      case 0: self = .done
      case 1: self = .undone
      case ..<0: self = .undoneForGood(before: 0 &- number)
      default: self = .skipped
      }
    }

    /// Whether the command is currently undone.
    var isUndone: Bool {
      switch self {
      case .undone, .undoneForGood: true
      case .done, .skipped: false
      }
    }

    /// The serial number of the command that made undoing it permanent.
    var undoneBefore: Int64? {
      if case .undoneForGood(let serial) = self { serial } else { nil }
    }

    /// The value in the column.
    var number: Int64 {
      switch self {
      case .done: 0
      case .undone: 1
      case .skipped: 2
      case .undoneForGood(let serial): 0 &- serial
      }
    }
  }
}
