package import DataFormats
import SystemLibraries

extension Complaint {
  /// The complaint about a file that cannot be read.
  package init(reading path: String, _ failure: InputFile.Failure) {
    let name = path == "-" ? "standard input" : path.escapingControls
    switch failure {
    case .tooLarge(let limit):
      self.init(
        .badData, "cannot read \(name): it has more than \(limit >> 20) MiB",
        hint: "Nothing was changed. Split it into several files.")
    case .system(let number):
      let code: ExitCode =
        switch number {
        case ENOENT, ENOTDIR: .noInput
        case EACCES, EPERM: .noPermission
        case EISDIR: .badData
        default: .inputOutput
        }
      let reason = strerror(number).map { String(cString: $0) } ?? "the system failed"
      self.init(code, "cannot read \(name): \(reason)", hint: "Nothing was changed.")
    }
  }
}
