public import SystemLibraries

/// Errors of opening, creating and saving documents.
public enum ManagedDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No file exists at the document's URL.
  case notFound(URL)
  /// The file at the URL is not a folder with a store in it.
  case notADocument(URL)
  /// A file already exists where a document is to be created.
  case exists(URL)
  /// The document is closed, and the operation requires an open one.
  case closed(URL)
  /// The document is read-only, and has changes.
  case readOnly(URL)

  /// A readable sentence.
  public var description: String {
    switch self {
    case .notFound(let url): "There is no document at \(url.path)."
    case .notADocument(let url): "\(url.path) is not a document."
    case .exists(let url): "There is already a file or folder at \(url.path)."
    case .closed(let url): "The document \(url.path) is closed."
    case .readOnly(let url): "The document \(url.path) is read-only; nothing was saved."
    }
  }
}
