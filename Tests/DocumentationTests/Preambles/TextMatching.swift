// What the examples of TextMatching take as given: a text in UTF-8.
import ManagedObjects
@testable import TextMatching

var utf8: UnsafeRawBufferPointer { fatalError() }
