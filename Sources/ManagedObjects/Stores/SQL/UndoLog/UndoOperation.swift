/// The operation on a row, a link or the metadata; the first byte of a change.
enum UndoOperation: UInt8 {
  case inserted = 1
  case updated
  case deleted
  case linked
  case unlinked
  case moved
  case metadata
}
