// Core Data brings Foundation along, and its code counts on that.
@_exported public import Foundation
@_exported public import ManagedObjects
