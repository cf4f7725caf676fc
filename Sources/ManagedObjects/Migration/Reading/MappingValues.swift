import SystemLibraries

/// The values to read of a mapping model.
enum MappingValues: Sendable {
  /// All values; an unsupported one is an error.
  case all
  /// All supported values; if there is a policy, the others are nil.
  case leftToPolicies
  /// No values: only names and version hashes.
  case none
}
