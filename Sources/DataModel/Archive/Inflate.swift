/// Undoes DEFLATE, the compression of RFC 1951, as a store's `Z_MODELCACHE` has it: without a header.
///
///     let archive = Inflate.decompress(content, limit: 64 << 20)
///
/// Made for archives of some kilobytes: small rather than fast.
struct Inflate: Sendable {
  private let bytes: [UInt8]
  private let limit: Int
  private var position = 0
  /// Bits that are read but not used, the next one lowest.
  private var buffer: UInt32 = 0
  private var bufferedCount: UInt32 = 0
  private var output: [UInt8] = []

  /// Decompresses bytes; nil where they are not compressed so, are cut short, or come to more than
  /// the limit.
  static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var inflate = Inflate(bytes: bytes, limit: limit)
    while let isLast = inflate.readBlock() {
      if isLast { return inflate.output }
    }
    return nil
  }

  private init(bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// Reads a block; tells whether it is the last, and nil where it is damaged.
  private mutating func readBlock() -> Bool? {
    guard let isLast = readBits(1), let kind = readBits(2) else { return nil }
    let isWhole =
      switch kind {
      case 0: copyStored()
      case 1: expand(Self.fixedLengths, Self.fixedDistances)
      case 2: expandDynamic()
      default: false
      }
    return isWhole ? isLast == 1 : nil
  }

  /// Reads a number of up to 16 bits.
  private mutating func readBits(_ count: UInt32) -> Int? {
    while bufferedCount < count {
      guard position < bytes.count else { return nil }
      buffer |= UInt32(bytes[position]) << bufferedCount
      position += 1
      bufferedCount += 8
    }
    let value = buffer & (1 << count - 1)
    buffer >>= count
    bufferedCount -= count
    return Int(value)
  }

  /// Copies a block that is not compressed; it starts at a whole byte, with its length.
  private mutating func copyStored() -> Bool {
    buffer = 0
    bufferedCount = 0
    guard position + 4 <= bytes.count else { return false }
    let length = Int(bytes[position]) | Int(bytes[position + 1]) << 8
    let complement = Int(bytes[position + 2]) | Int(bytes[position + 3]) << 8
    position += 4
    guard length ^ complement == 0xffff, position + length <= bytes.count,
      output.count + length <= limit
    else { return false }
    output += bytes[position..<position + length]
    position += length
    return true
  }

  /// Expands a block whose codes stand at its beginning, in a code of their own.
  private mutating func expandDynamic() -> Bool {
    guard let lengthCount = readBits(5), let distanceCount = readBits(5),
      let codeCount = readBits(4)
    else { return false }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount + 4 {
      guard let length = readBits(3) else { return false }
      codeLengths[Self.codeOrder[index]] = UInt8(length)
    }
    let code = HuffmanCode(codeLengths)
    let count = lengthCount + 257 + distanceCount + 1
    var lengths: [UInt8] = []
    while lengths.count < count {
      guard let symbol = readSymbol(code) else { return false }
      switch symbol {
      case 0..<16:
        lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last, let more = readBits(2) else { return false }
        lengths += repeatElement(last, count: 3 + more)
      case 17:
        guard let more = readBits(3) else { return false }
        lengths += repeatElement(0, count: 3 + more)
      default:
        guard let more = readBits(7) else { return false }
        lengths += repeatElement(0, count: 11 + more)
      }
    }
    guard lengths.count == count else { return false }
    return expand(
      HuffmanCode(Array(lengths[..<(lengthCount + 257)])),
      HuffmanCode(Array(lengths[(lengthCount + 257)...])))
  }

  /// Expands a block: bytes, and copies of what came before.
  private mutating func expand(_ lengths: HuffmanCode, _ distances: HuffmanCode) -> Bool {
    while let symbol = readSymbol(lengths) {
      if symbol == 256 { return true }
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengthBases.count,
        let extra = readBits(Self.lengthExtraBits[symbol - 257]),
        let place = readSymbol(distances), place < Self.distanceBases.count,
        let further = readBits(UInt32(max(place / 2 - 1, 0)))
      else { return false }
      let length = Self.lengthBases[symbol - 257] + extra
      let distance = Self.distanceBases[place] + further
      guard distance <= output.count, output.count + length <= limit else { return false }
      // The copy may reach into itself.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  private mutating func readSymbol(_ code: HuffmanCode) -> Int? {
    var reader = code.reader
    while let bit = readBits(1) {
      switch reader.next(bit) {
      case .symbol(let symbol): return symbol
      case .more: continue
      case .none: return nil
      }
    }
    return nil
  }

  private static let codeOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthExtraBits: [UInt32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let fixedLengths = HuffmanCode(
    Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112)
      + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8))
  private static let fixedDistances = HuffmanCode(Array(repeating: 5, count: 30))
}
