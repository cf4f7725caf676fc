/// The reason why bytes could not be read as a binary property list.
public enum PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes do not begin with `bplist00`, or are too few.
  case notABinaryPropertyList
  /// The object at this offset, or the list's trailer, extends beyond the bytes.
  case damaged(offset: Int)
  /// The text at this offset is not valid in the encoding of its marker, ASCII or UTF-16.
  case unreadableText(offset: Int)
  /// The value at this offset has a kind or a size that property lists of stores do not have.
  case unsupportedValue(offset: Int)
  /// A key of the dictionary at this offset is not a text, or occurs twice.
  case unusableKey(offset: Int)
  /// The array or dictionary at this offset contains itself.
  case containsItself(offset: Int)
  /// The values are nested deeper than 128 levels.
  case tooDeep
  /// Values are shared so often that the list would be out of proportion to its bytes.
  case tooLarge

  /// A sentence that says what is wrong.
  public var description: String {
    switch self {
    case .notABinaryPropertyList: "This is not a binary property list."
    case .damaged(let offset): "The property list is damaged at byte \(offset)."
    case .unreadableText(let offset):
      "The property list has an unreadable string at byte \(offset)."
    case .unsupportedValue(let offset):
      "The property list has a value of an unknown type at byte \(offset)."
    case .unusableKey(let offset):
      "The property list has a duplicate key, or one that is not a string, at byte \(offset)."
    case .containsItself(let offset):
      "The property list contains itself at byte \(offset)."
    case .tooDeep: "The property list is nested deeper than 128 levels."
    case .tooLarge: "The property list would become far larger than its file."
    }
  }
}
