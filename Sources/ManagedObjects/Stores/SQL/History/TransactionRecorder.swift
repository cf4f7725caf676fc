import DataModel

/// Records every change of one transaction for the undo log, the persistent history, or both.
final class TransactionRecorder {
  /// The recorder for the undo log; nil if none is kept.
  let undo: UndoRecorder?
  /// The recorder for the persistent history; nil if none is kept.
  let history: HistoryRecorder?

  init(undo: UndoRecorder?, history: HistoryRecorder?) {
    self.undo = undo
    self.history = history
  }

  /// Records a new link.
  func linked(_ join: Int, _ first: Int64, _ second: Int64) {
    undo?.linked(join, first, second)
    history?.linked(join, first, second)
  }

  /// Records a removed link with its order keys.
  func unlinked(
    _ join: Int, _ first: Int64, _ second: Int64, firstOrder: Int64?, secondOrder: Int64?
  ) {
    undo?.unlinked(join, first, second, firstOrder: firstOrder, secondOrder: secondOrder)
    history?.linked(join, first, second)
  }

  /// Records a link whose order key changes, with its old order key.
  func moved(_ join: Int, _ first: Int64, _ second: Int64, isFirst: Bool, order: Int64?) {
    undo?.moved(join, first, second, isFirst: isFirst, order: order)
    history?.linked(join, first, second)
  }
}

@available(*, unavailable) extension TransactionRecorder: Sendable {}
