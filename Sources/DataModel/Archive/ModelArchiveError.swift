public import DataFormats

/// Why a model could not be read from a store's `Z_MODELCACHE`, or from a `.mom` file.
public enum ModelArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There are no bytes: the store has no model, or the file is empty.
  case empty
  /// The bytes are not compressed as Core Data compresses them, or are truncated.
  case notCompressed
  /// The decompressed bytes are not a property list.
  case notAPropertyList(PropertyListError)
  /// The property list is not an archive of a model, or of an invalid one.
  case notAModel

  /// The problem, in one sentence.
  public var description: String {
    switch self {
    case .empty: "There is no model: the data is empty."
    case .notCompressed: "The model is damaged: it cannot be decompressed."
    case .notAPropertyList(let error): "The model is damaged. \(error)"
    case .notAModel: "The model is damaged: it is not an archived model."
    }
  }
}
