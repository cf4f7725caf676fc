/// Why bytes could not be read as a binary property list.
public enum PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
  /// They do not begin with `bplist00`, or are too few.
  case notABinaryPropertyList
  /// The object at this offset, or the list's end, claims what the bytes do not hold.
  case damaged(offset: Int)
  /// The text at this offset is not ASCII, or not UTF-16, though it says so.
  case unreadableText(offset: Int)
  /// The value at this offset is of a kind, or a size, that property lists of stores do not have.
  case unsupportedValue(offset: Int)
  /// A key of the dictionary at this offset is no text, or occurs twice.
  case unusableKey(offset: Int)
  /// The array or dictionary at this offset is found again inside itself.
  case containsItself(offset: Int)
  /// The values nest deeper than 128.
  case tooDeep
  /// Values are shared so often that the whole would be out of proportion to its bytes.
  case tooLarge

  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .notABinaryPropertyList: "This is no binary property list."
    case .damaged(let offset): "The property list is damaged at byte \(offset)."
    case .unreadableText(let offset): "The property list has an unreadable text at byte \(offset)."
    case .unsupportedValue(let offset):
      "The property list has a value of an unknown kind at byte \(offset)."
    case .unusableKey(let offset):
      "The property list has a key twice, or one that is no text, at byte \(offset)."
    case .containsItself(let offset):
      "The property list contains itself at byte \(offset)."
    case .tooDeep: "The property list nests deeper than 128."
    case .tooLarge: "The property list would be far larger than its bytes."
    }
  }
}
