/// A canonical prefix code of DEFLATE: symbols by the lengths of their codes.
struct HuffmanCode: Sendable {
  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: 16)
  /// The symbols, in the order of their codes.
  private var symbols: [Int] = []

  /// Makes the code in which each symbol has a code of the length at its place; 0 for none.
  init(_ lengths: [UInt8]) {
    for length in 1...15 {
      for (symbol, own) in lengths.enumerated() where own == length {
        counts[length] += 1
        symbols.append(symbol)
      }
    }
  }

  /// What a bit leads to.
  enum Step: Sendable {
    /// A symbol.
    case symbol(Int)
    /// A code that is longer.
    case more
    /// No code.
    case none
  }

  /// Reads one symbol bit by bit.
  struct Reader: Sendable {
    private let code: HuffmanCode
    private var length = 0
    private var value = 0
    private var firstOfLength = 0
    private var firstPlace = 0

    fileprivate init(_ code: HuffmanCode) {
      self.code = code
    }

    /// Goes on by a bit.
    mutating func next(_ bit: Int) -> Step {
      guard length < 15 else { return .none }
      length += 1
      value |= bit
      let count = code.counts[length]
      if value - firstOfLength < count, value >= firstOfLength {
        return .symbol(code.symbols[firstPlace + value - firstOfLength])
      }
      firstPlace += count
      firstOfLength = (firstOfLength + count) << 1
      value <<= 1
      return .more
    }
  }

  /// A reader for the next symbol.
  var reader: Reader { Reader(self) }
}
