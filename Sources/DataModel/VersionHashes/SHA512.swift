/// The SHA-512 hash function of FIPS 180-4, with a digest of 64 bytes.
///
///     SHA512.hash(data: "abc".utf8)   // 64 bytes: dd af 35 a1 …
///
/// Has the interface of swift-crypto's, except that its digest is a plain array of bytes.
package struct SHA512: Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 64

  private var blocks = MessageBlocks(blockSize: 128)
  private var state = SHA512.initialState

  /// Starts with an empty message.
  package init() {}

  /// Returns the digest of a whole message; some nanoseconds a byte.
  package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA512()
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
    blocks.append(bufferPointer) { SHA512.compress($0, into: &state) }
    self.state = state
  }

  /// Returns the digest of the message so far; more may be appended after.
  package func finalize() -> [UInt8] {
    var (blocks, state) = (blocks, state)
    blocks.finish { SHA512.compress($0, into: &state) }
    return state.indices.flatMap { index in
      withUnsafeBytes(of: state[index].bigEndian) { Array($0) }
    }
  }

  /// Processes one block of 128 bytes: section 6.4.2 of the standard.
  private static func compress(_ block: UnsafeRawBufferPointer, into state: inout SIMD8<UInt64>) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 80) { schedule in
      for round in 0..<16 {
        let word = block.loadUnaligned(fromByteOffset: round * 8, as: UInt64.self)
        schedule.initializeElement(at: round, to: UInt64(bigEndian: word))
      }
      for round in 16..<80 {
        let (early, late) = (schedule[round - 15], schedule[round - 2])
        let sigma0 = rotate(early, 1) ^ rotate(early, 8) ^ early >> 7
        let sigma1 = rotate(late, 19) ^ rotate(late, 61) ^ late >> 6
        schedule.initializeElement(
          at: round, to: schedule[round - 16] &+ sigma0 &+ schedule[round - 7] &+ sigma1)
      }
      mix(UnsafeBufferPointer(schedule), into: &state)
    }
  }

  /// Runs the 80 rounds over a block's schedule.
  private static func mix(_ schedule: UnsafeBufferPointer<UInt64>, into state: inout SIMD8<UInt64>)
  {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<80 {
      let sum1 = rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ roundConstants[round] &+ schedule[round]
      let sum0 = rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word &>> count | word &<< (64 - count)
  }

  /// The first 64 fractional bits of the square roots of the first 8 primes.
  static let initialState = SIMD8<UInt64>(
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179)

  /// The first 64 fractional bits of the cube roots of the first 80 primes.
  static let roundConstants: [UInt64] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
  ]
}
