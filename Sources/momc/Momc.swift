import Foundation
import ModelCompiler

/// The model compiler at the prompt: reads an Xcode data model, writes the Swift that stands for it.
@main
struct Momc {
  private static let usage = """
    Usage: momc MODEL.xcdatamodeld OUTPUT.swift

    Reads an Xcode data model (a folder .xcdatamodeld with its versions, or a single
    .xcdatamodel), checks it, and writes one Swift file: every version of the model
    as a value with its version hashes, and the accessors of the current version's
    entities. Errors and warnings go to standard error as `path:line: error: …`.
    The output is left alone when it would not change.

    Exit codes: 0 done; 1 the model has errors, or the output cannot be written;
    64 wrong arguments.

    """

  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Does what the arguments say and gives the exit code.
  private static func run(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
      print(usage, terminator: "")
      return 0
    }
    guard arguments.count == 2, !arguments.contains(where: { $0.hasPrefix("-") }) else {
      complain("momc: two arguments are needed, a model and the file to write.\n\n" + usage)
      return 64
    }
    do {
      let compiled = try CompiledModel(contentsOf: URL(filePath: arguments[0]))
      for warning in compiled.warnings { complain("\(warning)\n") }
      try write(compiled.swiftSource, to: URL(filePath: arguments[1]))
      return 0
    } catch let invalid as InvalidModel {
      complain("\(invalid)\n")
    } catch {
      complain("\(arguments[1]): error: this file cannot be written: \(reason(of: error))\n")
    }
    return 1
  }

  /// Writes a file whole or not at all, and only where it changes: who depends on it is built anew
  /// no more often than needed.
  private static func write(_ text: String, to url: URL) throws {
    let data = Data(text.utf8)
    if let present = try? Data(contentsOf: url), present == data { return }
    try data.write(to: url, options: .atomic)
  }

  private static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return (underlying ?? error).localizedDescription
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
