/// The bytes of a file as a reader goes through them: no more is held than the piece it is at.
///
///     var input = InputBytes(try InputFile(path, atMost: 1 << 20))
///     while input.hasByte { input.position += 1 }
///
/// A text that the reader is in the middle of is held whole: from `begin()` to `end()`.
package struct InputBytes {
  private let file: InputFile?
  /// What is held.
  package private(set) var bytes: [UInt8]
  /// How many bytes of the file came before those held.
  package private(set) var droppedCount = 0
  /// The index of the next byte among those held.
  package var position = 0
  /// Where the text begins that the reader is in.
  private var start: Int?

  /// All bytes there are.
  package init(_ bytes: [UInt8]) {
    file = nil
    self.bytes = bytes
  }

  /// The bytes of a file, a piece at a time.
  package init(_ file: InputFile) {
    self.file = file
    bytes = []
  }

  /// Whether there is a next byte; reads on where that is not held yet.
  @inline(__always)
  package var hasByte: Bool {
    mutating get { position < bytes.count || readOn() }
  }

  /// How long the text is so far that the reader is in.
  package var textCount: Int { start.map { position - $0 } ?? 0 }

  /// Has everything held from the next byte on.
  package mutating func begin() { start = position }

  /// The bytes since `begin()`.
  package mutating func end() -> ArraySlice<UInt8> {
    defer { start = nil }
    return bytes[(start ?? position)..<position]
  }

  /// Holds the bytes up to one that meets a condition, or 64 KiB of them; tells which one that is.
  ///
  /// The next byte stays the same.
  package mutating func first(where isWanted: (UInt8) -> Bool) -> UInt8? {
    begin()
    defer { goBack() }
    while hasByte, textCount < 1 << 16 {
      if isWanted(bytes[position]) { return bytes[position] }
      position += 1
    }
    return nil
  }

  /// Passes over bytes, where they come next.
  package mutating func pass(_ expected: [UInt8]) {
    begin()
    for byte in expected {
      guard hasByte, bytes[position] == byte else { return goBack() }
      position += 1
    }
    start = nil
  }

  /// Goes to where the text begins.
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
