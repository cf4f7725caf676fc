import SystemLibraries

/// The pages in a write-ahead log, up to its last complete transaction.
///
/// Source: SQLite, "Database File Format", section 4.
struct LogContents {
  /// The page size in bytes.
  let pageSize: Int
  /// The number of pages of the database, including the log.
  private(set) var pageCount = 0
  /// The numbers of the pages in the log.
  private(set) var pages: Set<Int> = []

  /// Reads the log at a path; nil if there is none that SQLite would accept.
  init?(at path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let header = Bytes(file, at: 0, count: 32), header[0] & ~1 == 0x377F_0682 else {
      return nil
    }
    // The lowest bit of the first word gives the byte order for checksums.
    var sum = Checksum(isBigEndian: header[0] & 1 == 1)
    sum.add(header.words(0..<6))
    guard sum == (header[6], header[7]), header[2] >= 512, header[2] <= 65_536 else { return nil }
    pageSize = Int(header[2])
    var offset = 32
    // The pages of a transaction count once its last frame is found, which contains the database
    // size.
    var begun: Set<Int> = []
    while let frame = Bytes(file, at: offset, count: 24 + pageSize) {
      sum.add(frame.words(0..<2))
      sum.add(frame.words(6..<6 + pageSize / 4))
      guard frame[2] == header[4], frame[3] == header[5], sum == (frame[4], frame[5]) else { break }
      begun.insert(Int(frame[0]))
      if frame[1] != 0 {
        pages.formUnion(begun)
        begun.removeAll()
        pageCount = Int(frame[1])
      }
      offset += 24 + pageSize
    }
  }

  /// Whether the log can belong to a file: the page sizes are equal, and the log contains all pages
  /// beyond the file's end.
  func fits(fileOf size: Int, pageSize: Int) -> Bool {
    guard pageCount > 0 else { return true }
    guard pageSize == self.pageSize else { return false }
    let first = size / pageSize + 1
    // The page with SQLite's lock bytes is never written.
    let lockPage = 0x4000_0000 / pageSize + 1
    return first > pageCount
      || (first...pageCount).allSatisfy { $0 == lockPage || pages.contains($0) }
  }

  /// A part of the file as 32-bit words.
  private struct Bytes {
    private var bytes: [UInt8]

    init?(_ file: Int32, at offset: Int, count: Int) {
      bytes = [UInt8](repeating: 0, count: count)
      guard pread(file, &bytes, count, off_t(offset)) == count else { return nil }
    }

    /// A big-endian word.
    subscript(word: Int) -> UInt32 {
      bytes[word * 4..<word * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    func words(_ range: Range<Int>) -> ArraySlice<UInt8> {
      bytes[range.lowerBound * 4..<range.upperBound * 4]
    }
  }

  /// The cumulative checksum of the header and frames.
  private struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds an even number of words.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          first &+= word(bytes, offset) &+ second
          second &+= word(bytes, offset + 4) &+ first
        }
      }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    static func == (sum: Checksum, words: (UInt32, UInt32)) -> Bool {
      sum.first == words.0 && sum.second == words.1
    }
  }
}
