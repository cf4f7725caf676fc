/// Why a value cannot be written to a keyed archive, or read from one.
///
///     KeyedArchiveError.unknownClass("UIColor")
package enum KeyedArchiveError: Error, Hashable, Sendable {
  /// The bytes are not a property list, or not one of a keyed archive.
  case notAnArchive
  /// An object is of a class that has no value in Swift.
  case unknownClass(String)
  /// The objects refer to each other in a cycle, or are nested too deep.
  case tooDeep
  /// A value is of a Swift type that has no class in an archive.
  case unknownType(String)
}
