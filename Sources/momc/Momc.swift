import Foundation
import ModelCompiler

/// The model compiler at the prompt: `momc MODEL.xcdatamodeld OUTPUT.swift`.
@main
struct Momc {
  static func main() {
    let command = CompileCommand(
      standardOutput: { FileHandle.standardOutput.write(Data($0.utf8)) },
      standardError: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(command.run(Array(CommandLine.arguments.dropFirst())))
  }
}
