// What the examples of ModelCompiler assume.
@testable import DataModel
import Foundation
@testable import ModelCompiler

var bytes: [UInt8] { [] }
var compiled: CompiledModel { fatalError() }
var log: DiagnosticLog {
  get { DiagnosticLog() }
  set {}
}
var metadata: [String: PropertyList] { [:] }
var output: URL { url }
var url: URL { URL(filePath: "") }
