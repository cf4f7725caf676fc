import DataModel

/// Hears of everything that one transaction changes, for the undo log, the persistent history, or
/// both.
final class TransactionRecorder {
  /// What the undo log is to have; nil where none is kept.
  let undo: UndoRecorder?
  /// What the persistent history is to have; nil where none is kept.
  let history: HistoryRecorder?

  init(undo: UndoRecorder?, history: HistoryRecorder?) {
    self.undo = undo
    self.history = history
  }

  /// A link that is new.
  func linked(_ join: Int, _ first: Int64, _ second: Int64) {
    undo?.linked(join, first, second)
    history?.linked(join, first, second)
  }

  /// A link that goes, with its order keys.
  func unlinked(
    _ join: Int, _ first: Int64, _ second: Int64, firstOrder: Int64?, secondOrder: Int64?
  ) {
    undo?.unlinked(join, first, second, firstOrder: firstOrder, secondOrder: secondOrder)
    history?.linked(join, first, second)
  }

  /// A link that is given another order key: the one it had.
  func moved(_ join: Int, _ first: Int64, _ second: Int64, isFirst: Bool, order: Int64?) {
    undo?.moved(join, first, second, isFirst: isFirst, order: order)
    history?.linked(join, first, second)
  }
}

@available(*, unavailable) extension TransactionRecorder: Sendable {}
