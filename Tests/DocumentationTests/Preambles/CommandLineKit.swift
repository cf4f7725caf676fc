// What the examples of CommandLineKit assume.
@testable import CommandLineKit
@testable import DataFormats
import Foundation

struct Walk { var dog = "" }

var changes: Int32 { -1 }
var errors: OutputSink { .memory() }
var lines: [String] { [] }
var output: OutputSink { .memory() }
var path: String { "" }
var walks: [Walk] { [] }

extension CommandSpecification {
  static var dogwalk: CommandSpecification { CommandSpecification(name: "dogwalk", abstract: "") }
}

extension Option {
  static var note: Option { Option("note", value: .required("TEXT"), help: "") }
}

extension ArgumentValuesExamples {
  static var values: ArgumentValues { ArgumentValues() }
}

extension HelpTextExamples {
  static var path: CommandPath { CommandPath(root: .dogwalk) }
}
