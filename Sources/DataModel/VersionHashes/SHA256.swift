/// The SHA-256 hash function of FIPS 180-4, with a digest of 32 bytes.
///
///     SHA256.hash(data: "abc".utf8)   // 32 bytes: ba 78 16 bf …
///
/// Has the interface of swift-crypto's, except that its digest is a plain array of bytes.
package struct SHA256: Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  private var blocks = MessageBlocks(blockSize: 64)
  private var state = SHA256.initialState

  /// Starts with an empty message.
  package init() {}

  /// Returns the digest of a whole message; some nanoseconds a byte.
  package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: data)
    return hash.finalize()
  }

  /// Appends a piece to the message.
  package mutating func update(data: some Sequence<UInt8>) {
    let wasContiguous: Void? = data.withContiguousStorageIfAvailable { piece in
      update(bufferPointer: UnsafeRawBufferPointer(piece))
    }
    if wasContiguous == nil {
      Array(data).withUnsafeBytes { update(bufferPointer: $0) }
    }
  }

  /// Appends a piece to the message, read directly from memory.
  package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    var state = state
    blocks.append(bufferPointer) { SHA256.compress($0, into: &state) }
    self.state = state
  }

  /// Returns the digest of the message so far; more may be appended after.
  package func finalize() -> [UInt8] {
    var (blocks, state) = (blocks, state)
    blocks.finish { SHA256.compress($0, into: &state) }
    return state.indices.flatMap { index in
      withUnsafeBytes(of: state[index].bigEndian) { Array($0) }
    }
  }

  /// Processes one block of 64 bytes: section 6.2.2 of the standard.
  private static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for round in 0..<16 {
        let word = block.loadUnaligned(fromByteOffset: round * 4, as: UInt32.self)
        schedule.initializeElement(at: round, to: UInt32(bigEndian: word))
      }
      for round in 16..<64 {
        let (early, late) = (schedule[round - 15], schedule[round - 2])
        let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
        let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
        schedule.initializeElement(
          at: round, to: schedule[round - 16] &+ sigma0 &+ schedule[round - 7] &+ sigma1)
      }
      mix(UnsafeBufferPointer(schedule), into: &state)
    }
  }

  /// Runs the 64 rounds over a block's schedule.
  private static func mix(_ schedule: UnsafeBufferPointer<UInt32>, into state: inout SIMD8<UInt32>)
  {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ roundConstants[round] &+ schedule[round]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }

  // The constants of SHA-256 are the first halves of those of SHA-512.
  private static let initialState = SIMD8<UInt32>(
    truncatingIfNeeded: SHA512.initialState &>> 32)
  private static let roundConstants = SHA512.roundConstants.prefix(64).map { UInt32($0 >> 32) }
}
