import CommandLineKit
import DataFormats

/// The texts of `dogwalk import` about data that it cannot read.
extension DataError {
  /// The lines that cannot be read: `line 2`, or `lines 2 to 5`.
  var lines: String {
    lastLine > line ? "lines \(line) to \(lastLine)" : "line \(line)"
  }

  /// Returns how to correct a file in another encoding; nil for any other error.
  ///
  /// - Parameters:
  ///   - path: the file, or `-`.
  ///   - format: its format; nil if its name does not show it.
  func remedy(for path: String, _ format: WalkFile.Format?) -> String? {
    guard let encoding else { return nil }
    let program = "iconv -f \(encoding.rawValue) -t UTF-8"
    guard path != "-" else { return "Send it through \(program) first." }
    let isCSV = format == .csv
    // To another file, since a shell empties the output file before anything is read.
    let ending = path.lastIndex(of: ".").flatMap { path[$0...].contains("/") ? nil : $0 }
    let copy = path[..<(ending ?? path.endIndex)] + "-utf8" + path[(ending ?? path.endIndex)...]
    return "Save it as \(isCSV ? "\"CSV UTF-8\"" : "UTF-8"), or: "
      + "\(program) \([path].shellOperands) > \([String(copy)].shellOperands)"
  }
}
