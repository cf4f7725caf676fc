/// Why bytes could not be written.
enum OutputError: Error, Hashable {
  /// The reader has gone, as `head` does: the program ends, quietly.
  case closedPipe
  /// Anything else, a full disk included, by the number of the C library.
  case failed(errno: Int32)
}
