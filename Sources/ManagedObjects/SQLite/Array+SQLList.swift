extension [Int] {
  /// The numbers as SQL wants a list of them.
  var sqlList: String { map(String.init).joined(separator: ", ") }
}
