/// A reader of a log of changes, from its creation on.
final class ChangeLogReader: Sendable {
  private let log: ChangeLog
  private let number: Int

  init(_ log: ChangeLog, continuation: AsyncStream<Void>.Continuation? = nil) {
    self.log = log
    number = log.addReader(continuation: continuation)
  }

  deinit { log.removeReader(number) }

  /// The changes that were not read yet, except those of one source.
  func take(but source: AnyObject? = nil) -> [ChangedObjectIDs] {
    log.take(number, but: source.map { ObjectIdentifier($0) })
  }
}
