/// The bytes of a file for a parser, with only the current piece in memory.
///
///     var input = InputBytes(try InputFile(path, atMost: 1 << 20))
///     while input.hasByte { input.position += 1 }
///
/// A token that the parser is reading is kept in memory as a whole: from `begin()` to `end()`.
package struct InputBytes {
  private let file: InputFile?
  /// The bytes in memory.
  package private(set) var bytes: [UInt8]
  /// The number of bytes of the file before those in memory.
  package private(set) var droppedCount = 0
  /// The index of the next byte in `bytes`.
  package var position = 0
  /// The index at which the current token begins.
  private var start: Int?

  /// Creates the input from bytes in memory.
  package init(_ bytes: [UInt8]) {
    file = nil
    self.bytes = bytes
  }

  /// Creates the input from a file, read in pieces.
  package init(_ file: InputFile) {
    self.file = file
    bytes = []
  }

  /// Whether there is a next byte; reads the next piece if necessary.
  @inline(__always)
  package var hasByte: Bool {
    mutating get { position < bytes.count || readOn() }
  }

  /// The length of the current token so far.
  package var textCount: Int { start.map { position - $0 } ?? 0 }

  /// Begins a token: all bytes from the next one on are kept.
  package mutating func begin() { start = position }

  /// Ends the token; returns its bytes.
  package mutating func end() -> ArraySlice<UInt8> {
    defer { start = nil }
    return bytes[(start ?? position)..<position]
  }

  /// The first byte that meets a condition, within the next 64 KiB; nil if there is none.
  ///
  /// Does not change the position.
  package mutating func first(where isWanted: (UInt8) -> Bool) -> UInt8? {
    begin()
    defer { goBack() }
    while hasByte, textCount < 1 << 16 {
      if isWanted(bytes[position]) { return bytes[position] }
      position += 1
    }
    return nil
  }

  /// Skips given bytes if they come next.
  package mutating func pass(_ expected: [UInt8]) {
    begin()
    for byte in expected {
      guard hasByte, bytes[position] == byte else { return goBack() }
      position += 1
    }
    start = nil
  }

  /// Returns to the beginning of the token.
  private mutating func goBack() {
    position = start ?? position
    start = nil
  }

  private mutating func readOn() -> Bool {
    guard let file else { return false }
    let kept = start ?? position
    bytes.removeFirst(kept)
    droppedCount += kept
    position -= kept
    if start != nil { start = 0 }
    return file.read(into: &bytes)
  }
}
