// What the examples of ModelCompiler take as given.
@testable import DataModel
import Foundation
@testable import ModelCompiler

var compiled: CompiledModel { fatalError() }
var data: Data { Data() }
var log: DiagnosticLog {
  get { DiagnosticLog() }
  set {}
}
var metadata: [String: PropertyList] { [:] }
var output: URL { url }
var url: URL { URL(filePath: "") }
