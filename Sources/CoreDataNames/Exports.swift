// Core Data re-exports Foundation, and code that uses it relies on that.
@_exported public import Foundation
@_exported public import ManagedObjects
