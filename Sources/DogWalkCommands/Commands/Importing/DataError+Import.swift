import CommandLineKit
import DataFormats

/// What `dogwalk import` says of what it cannot read.
extension DataError {
  /// The lines that cannot be read: `line 2`, or `lines 2 to 5`.
  var lines: String {
    lastLine > line ? "lines \(line) to \(lastLine)" : "line \(line)"
  }

  /// How to put a file right that is in another encoding; nil where that is not what is wrong.
  ///
  /// - Parameters:
  ///   - path: the file, or `-`.
  ///   - format: how it is written; nil where that is not known by its name.
  func remedy(for path: String, _ format: WalkFile.Format?) -> String? {
    guard let encoding else { return nil }
    let program = "iconv -f \(encoding.rawValue) -t UTF-8"
    guard path != "-" else { return "Send it through \(program) first." }
    let isCSV = format == .csv
    // Beside it: a shell empties the file that it writes to before anything is read.
    let ending = path.lastIndex(of: ".").flatMap { path[$0...].contains("/") ? nil : $0 }
    let copy = path[..<(ending ?? path.endIndex)] + "-utf8" + path[(ending ?? path.endIndex)...]
    return "Save it as \(isCSV ? "\"CSV UTF-8\"" : "UTF-8"), or: "
      + "\(program) \([path].shellOperands) > \([String(copy)].shellOperands)"
  }
}
