public import DataFormats

/// Why a model could not be read from a store's `Z_MODELCACHE`, or from a `.mom` file.
public enum ModelArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There are no bytes: the store carries no model, or the file is empty.
  case empty
  /// The bytes are not compressed as Core Data compresses them, or are cut short.
  case notCompressed
  /// What they hold is no property list.
  case notAPropertyList(PropertyListError)
  /// The property list is no archive of a model, or of one that cannot be.
  case notAModel

  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .empty: "There is no model: it has no bytes."
    case .notCompressed: "The model is damaged: it cannot be decompressed."
    case .notAPropertyList(let error): "The model is damaged. \(error)"
    case .notAModel: "The model is damaged: it is no archive of a model."
    }
  }
}
