import CLibFuzzer
import Foundation

/// `fuzz NAME [libFuzzer's options] [folders]`: feeds one of the readers whatever libFuzzer thinks
/// of.
@main enum FuzzProgram {
  /// The reader under test; set once, before libFuzzer runs.
  nonisolated(unsafe) private static var target = FuzzTarget.all[0]

  static func main() {
    guard CommandLine.arguments.count > 1, let target = FuzzTarget.named(CommandLine.arguments[1])
    else {
      print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
      exit(CommandLine.arguments.count > 1 ? 64 : 0)
    }
    Self.target = target
    // libFuzzer sees its own options only; the strings last as long as the process.
    let words = CommandLine.unsafeArgv + 1
    words[0] = CommandLine.unsafeArgv[0]
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = words
    _ = withUnsafeMutablePointer(to: &arguments) { pointer in
      LLVMFuzzerRunDriver(&count, pointer) { bytes, length in
        let input = Array(UnsafeBufferPointer(start: bytes, count: length))
        if let complaint = FuzzProgram.target.complaint(about: input) { fatalError(complaint) }
        return 0
      }
    }
  }
}
