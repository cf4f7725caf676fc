// What the examples of DataFormats assume.
@testable import DataFormats
import Foundation

struct Walk { var dog = "" }

var archive: [UInt8] { [] }
var blob: [UInt8] { [] }
var bytes: InputBytes { InputBytes([]) }
var path: String { "" }
var schema: Double {
  get { 1 }
  set {}
}
var walks: [Walk] { [] }
