extension [Int] {
  /// The numbers as a comma-separated SQL list.
  var sqlList: String { map(String.init).joined(separator: ", ") }
}
