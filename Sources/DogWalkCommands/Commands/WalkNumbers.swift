import CommandLineKit

/// The walk numbers that a command is given.
struct WalkNumbers {
  /// The numbers, each once, in the order typed.
  let numbers: [Int64]

  /// Returns whether a word has the form of a range: `5-8`.
  static func isRange(_ word: String) -> Bool {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    return ends.count == 2 && ends.allSatisfy { WordScanner.isNumber($0) }
  }

  /// Reads the operands.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  /// - Throws: `ValidationError` if one is not a number; `Complaint` if one is too large for any
  ///   walk.
  init(_ operands: [String], call: String) throws {
    var numbers: [Int64] = []
    for operand in operands {
      guard !operand.isEmpty, operand.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        let ends = operand.split(separator: "-")
        let hint =
          switch operand.utf8.first ?? 0 {
          case 0x30...0x39 where Self.isRange(operand):
            "Write the smaller one first: \(ends[1])-\(ends[0])."
          case 0x30...0x39: "Write each number by itself: 1 2 3."
          case UInt8(ascii: "#"): "Write the number alone."
          default: "Write the number that \(call) list shows in front of it."
          }
        throw ValidationError(
          "\(ValidationError.quoted(operand)) is not the number of a walk", hint: hint)
      }
      guard let number = Int64(operand) else {
        throw Complaint(noWalks: [operand], nothingDeleted: operands.count > 1, call: call)
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    self.numbers = numbers
  }
}
