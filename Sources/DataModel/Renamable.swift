/// An item that may have another name in the previous version.
package protocol Renamable {
  /// The name in its own version.
  var name: String { get }
  /// The name in the version before; nil for the same one.
  var renamingIdentifier: String? { get }
}

extension Renamable {
  /// The renaming identifier, which is the name by default.
  var origin: String { renamingIdentifier ?? name }
}
