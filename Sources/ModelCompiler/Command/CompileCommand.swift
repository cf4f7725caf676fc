import SystemLibraries

/// The momc command: reads and checks a model, and writes Swift or a compiled model.
///
///     let command = CompileCommand(standardOutput: { print($0) }, standardError: { print($0) })
///     exit(command.run(["DogWalk.xcdatamodeld", "DogWalk+DataModel.swift"]))
package struct CompileCommand {
  /// The usage text, for `--help` and wrong arguments.
  package static let usage = """
    Usage: momc MODEL.xcdatamodeld OUTPUT.swift [SOURCE.swift…]
           momc MODEL.xcdatamodeld OUTPUT.momd|OUTPUT.mom

    Reads an Xcode data model (a folder .xcdatamodeld with its versions, or a single
    .xcdatamodel), checks it, and writes one Swift file: every version of the model
    as a value with its version hashes, and the accessors of the current version's
    entities. Errors and warnings go to standard error as `path:line: error: …`.
    The output file is not rewritten if it would not change.

    Sources are the files that the output is compiled with. A class that one of them
    declares is not written, whatever Codegen says; its accessors are, except for
    those that it declares itself. If one imports CoreDataNames, accessors have the
    types that Xcode gives them: String?, NSNumber?, NSSet?, NSOrderedSet?.

    An output that ends with .momd gets every version as Core Data's own compiler
    writes it, one that ends with .mom the current version.

    Exit codes: 0 done; 1 the model has errors, or the output cannot be written;
    64 wrong arguments.

    """

  private let standardOutput: (String) -> Void
  private let standardError: (String) -> Void

  /// Creates a command that prints with the given closures; texts include their line ends.
  package init(
    standardOutput: @escaping (String) -> Void, standardError: @escaping (String) -> Void
  ) {
    self.standardOutput = standardOutput
    self.standardError = standardError
  }

  /// Performs the command with some arguments, and returns the exit code.
  package func run(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
      standardOutput(Self.usage)
      return 0
    }
    guard arguments.count >= 2, !arguments.contains(where: { $0.hasPrefix("-") }) else {
      standardError("momc: a model and the file to write are needed.\n\n")
      standardError(Self.usage)
      return 64
    }
    do {
      let (model, output) = (URL(filePath: arguments[0]), URL(filePath: arguments[1]))
      if ["mom", "momd"].contains(output.pathExtension) {
        let compiled = try VersionedModel(contentsOf: model)
        for warning in compiled.warnings { standardError("\(warning)\n") }
        try compiled.write(to: output)
      } else {
        let compiled = try CompiledModel(
          contentsOf: model, forSwift: true,
          handwritten: HandwrittenClasses(in: arguments.dropFirst(2).lazy.compactMap(text)))
        for warning in compiled.warnings { standardError("\(warning)\n") }
        try VersionedModel.write(compiled.swiftSource.utf8, to: output)
      }
      return 0
    } catch let invalid as InvalidModel {
      standardError("\(invalid)\n")
    } catch {
      standardError("\(arguments[1]): error: the output cannot be written: \(reason(error))\n")
    }
    return 1
  }

  /// Returns the text of a source file; nil if it cannot be read, which the compiler will report.
  private func text(of path: String) -> String? {
    try? String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  /// Returns the system's error message, if there is one.
  private func reason(_ error: any Error) -> String {
    let underlying = (error as? CocoaError)?.underlying as? POSIXError
    return underlying.map { String(cString: strerror($0.code.rawValue)) } ?? "the system failed"
  }
}

@available(*, unavailable) extension CompileCommand: Sendable {}
