/// A message that is being hashed, divided into blocks of equal size, as in FIPS 180-4.
///
/// The remainder of a piece is kept until the next one fills the block.
struct MessageBlocks: Sendable {
  /// The size of a block in bytes: 64 for SHA-256, 128 for SHA-512.
  private let blockSize: Int
  /// The beginning of an incomplete block.
  private var pending: [UInt8] = []
  /// The length of the message so far, in bytes.
  private var byteCount: UInt64 = 0

  /// Starts an empty message.
  init(blockSize: Int) {
    self.blockSize = blockSize
  }

  /// Appends a piece, and passes every complete block to `compress`.
  mutating func append(
    _ piece: UnsafeRawBufferPointer, compress: (UnsafeRawBufferPointer) -> Void
  ) {
    byteCount &+= UInt64(piece.count)
    var rest = piece[...]
    if !pending.isEmpty {
      let missing = rest.prefix(blockSize - pending.count)
      pending.append(contentsOf: missing)
      rest = rest.dropFirst(missing.count)
      guard pending.count == blockSize else { return }
      pending.withUnsafeBytes(compress)
      pending.removeAll(keepingCapacity: true)
    }
    while rest.count >= blockSize {
      compress(UnsafeRawBufferPointer(rebasing: rest.prefix(blockSize)))
      rest = rest.dropFirst(blockSize)
    }
    pending.append(contentsOf: rest)
  }

  /// Appends the padding: a one bit, zeros, and the message's length in bits, an eighth of a block.
  mutating func finish(compress: (UnsafeRawBufferPointer) -> Void) {
    let bitCount = byteCount &* 8
    let used = pending.count + 1 + blockSize / 8
    let end = (used + blockSize - 1) / blockSize * blockSize
    var padding: [UInt8] = [0x80]
    padding.append(contentsOf: repeatElement(0, count: end - pending.count - 9))
    withUnsafeBytes(of: bitCount.bigEndian) { padding.append(contentsOf: $0) }
    padding.withUnsafeBytes { append($0, compress: compress) }
  }
}
