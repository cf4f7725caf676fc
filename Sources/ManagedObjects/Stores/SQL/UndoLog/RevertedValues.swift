/// The values that a store keeps outside of rows, while commands are reverted.
protocol RevertedValues: AnyObject {
  /// The bytes to store in the column of a value that may be kept outside.
  func stored(_ value: UnsafeRawBufferPointer) throws -> [UInt8]
  /// Records that the values in some slots of a row are removed.
  func drop(_ slots: [Int], of entity: EntityBinding, _ key: Int64) throws
  /// Reverts what was written outside.
  func undo()
}
