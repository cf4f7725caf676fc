/// The values of a store that keeps all of them in its rows.
final class ValuesInRows: RevertedValues {
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8] { Array(value) }
  func drop(_ slots: [Int], of entity: EntityBinding, _ key: Int64) throws {}
  func undo() {}
}

@available(*, unavailable) extension ValuesInRows: Sendable {}
