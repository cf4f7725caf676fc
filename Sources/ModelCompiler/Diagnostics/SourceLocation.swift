/// A position in a file of a model.
struct SourceLocation: Sendable, Hashable {
  /// The file or folder, as the caller spelled the way to it.
  var path: String
  /// The line, counted from 1; nil where the whole file or folder is meant.
  var line: Int?
}
