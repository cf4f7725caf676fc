/// An error that a transformer throws for a value that it stores as missing.
package struct NoTransformedValue: Error {
  /// Creates the error.
  package init() {}
}
