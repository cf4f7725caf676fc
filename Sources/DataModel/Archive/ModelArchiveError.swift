public import DataFormats

/// Why a model could not be read from a store's `Z_MODELCACHE`.
public enum ModelArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There are no bytes: the store was not made by Core Data, or carries no model.
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
    case .empty: "The store carries no model."
    case .notCompressed: "The model in the store is damaged: it cannot be decompressed."
    case .notAPropertyList(let error): "The model in the store is damaged. \(error)"
    case .notAModel: "The model in the store is damaged: it is no archive of a model."
    }
  }
}
