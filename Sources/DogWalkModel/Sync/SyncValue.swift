package import SystemLibraries

/// A value in a form for display.
package enum SyncValue: Hashable, Sendable {
  /// A date, as the instant.
  case date(Date)
  /// A number: seconds, metres, minutes or a count, depending on the property.
  case number(Double)
  /// A text, or a name.
  case text(String)
  /// A Boolean.
  case flag(Bool)
  /// A recorded track, which is not displayed as text.
  case track
}
