import TextMatching

/// The rows of `MO_UNDO`.
extension SQLUndoLog {
  /// One entry.
  struct Entry {
    let serial: Int64
    let state: State
    let date: Double
    let name: String
    /// Who gave the command; nil where nobody said.
    let author: String?
    let bytes: [UInt8]

    /// Whether it is one that somebody may take back as his own: nobody's is anyone's.
    ///
    /// An author is known by one name, whatever its case.
    func isOwn(of author: String?) -> Bool {
      guard let author, let own = self.author else { return true }
      return own == author || TextFolding.caseFolded(own) == TextFolding.caseFolded(author)
    }
  }

  /// What `UNDONE` says of an entry.
  enum State: Equatable {
    /// It can be taken back.
    case done
    /// It was taken back, and can be done again.
    case undone
    /// Neither: somebody changed its rows since, and it was passed over.
    case skipped
    /// It was taken back, and a command was done since, of the serial number that is given here.
    case undoneForGood(before: Int64)

    init(_ number: Int64) {
      switch number {
      case 0: self = .done
      case 1: self = .undone
      case ..<0: self = .undoneForGood(before: 0 &- number)
      default: self = .skipped
      }
    }

    /// Whether the command is taken back now.
    var isUndone: Bool {
      switch self {
      case .undone, .undoneForGood: true
      case .done, .skipped: false
      }
    }

    /// The serial number of the command before which it was so for good.
    var undoneBefore: Int64? {
      if case .undoneForGood(let serial) = self { serial } else { nil }
    }

    /// What stands in the column.
    var number: Int64 {
      switch self {
      case .done: 0
      case .undone: 1
      case .skipped: 2
      case .undoneForGood(let serial): -serial
      }
    }
  }
}
