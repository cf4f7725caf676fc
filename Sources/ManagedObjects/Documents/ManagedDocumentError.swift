public import SystemLibraries

/// Why a document cannot be opened or made.
public enum ManagedDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is nothing at the document's URL.
  case notFound(URL)
  /// What is there is no folder with a store in it.
  case notADocument(URL)
  /// There is something already where a document is to be made.
  case exists(URL)
  /// The document is closed, and only one that is open can do this.
  case closed(URL)
  /// The document may only be read, and has changes.
  case readOnly(URL)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .notFound(let url): "There is no document at \(url.path)."
    case .notADocument(let url): "\(url.path) is no document."
    case .exists(let url): "There is something at \(url.path) already."
    case .closed(let url): "The document \(url.path) is closed."
    case .readOnly(let url): "The document \(url.path) may only be read; nothing was saved."
    }
  }
}
