// What the examples of TextMatching assume: a text in UTF-8.
import ManagedObjects
@testable import TextMatching

var utf8: UnsafeRawBufferPointer { fatalError() }
