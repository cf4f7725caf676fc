/// The value of a setting, and its origin.
struct SettingValue: Hashable, Sendable {
  /// The value.
  let text: String
  /// Its origin as shown to people: `$DOGWALK_BY`, a file's path, `default`.
  let origin: String
}
