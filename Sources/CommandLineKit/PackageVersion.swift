/// The version of this package and all its programs, as printed by `--version`.
package enum PackageVersion {
  /// The version number, by Semantic Versioning.
  package static let text = "0.1.0"
}
