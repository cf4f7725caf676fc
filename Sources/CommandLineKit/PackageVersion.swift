/// The version of this package and of all its programs, as `--version` shows it.
package enum PackageVersion {
  /// The three numbers of Semantic Versioning.
  package static let text = "0.1.0"
}
