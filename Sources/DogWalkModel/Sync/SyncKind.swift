import SystemLibraries

/// The type of an object that stores exchange; the raw values are stored.
package enum SyncKind: UInt8, Sendable {
  /// A dog, identified by its UUID.
  case dog = 1
  /// A walk, identified by its UUID.
  case walk
  /// A walker, identified by name.
  case walker
  /// A tag, identified by name.
  case tag
}
