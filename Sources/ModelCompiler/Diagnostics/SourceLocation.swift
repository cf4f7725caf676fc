/// A position in a file of a model.
struct SourceLocation: Sendable, Hashable {
  /// The file or folder, with the path that the caller used.
  var path: String
  /// The line, counted from 1; nil for the whole file or folder.
  var line: Int?
}
