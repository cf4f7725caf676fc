extension Statement {
  /// The value of a column as it is stored; nil for NULL.
  func scalar(at column: Int32) -> Scalar? {
    switch storageClass(at: column) {
    case .null: nil
    case .integer: .integer(integer(at: column))
    case .real: .real(real(at: column))
    case .text: .text(text(at: column).map { Array($0) } ?? [])
    case .blob: .bytes(blob(at: column).map { Array($0) } ?? [])
    }
  }
}
