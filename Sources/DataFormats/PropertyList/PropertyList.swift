public import SystemLibraries

/// A property list: the tree of values that Core Data keeps a store's metadata in.
///
///     let metadata = try PropertyList(binary: blob)
///     guard case .dictionary(let entries) = metadata else { return }
///     entries["NSStoreType"]   // .string("SQLite")
///
/// Reads and writes Apple's binary format, `bplist00`, without Foundation's coders: reading a
/// store's metadata takes some microseconds.
///
/// Two texts that differ in their Unicode form alone are equal here, as Swift's strings are;
/// written they stay two.
public enum PropertyList: Sendable, Hashable {
  /// Values by name.
  case dictionary([String: PropertyList])
  /// Values in a row.
  case array([PropertyList])
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// An instant.
  case date(Date)
  /// A whole number.
  case integer(Int64)
  /// A whole number above the greatest `Int64`; smaller ones are read back as `integer`.
  case unsignedInteger(UInt64)
  /// A floating-point number, written with 64 bits.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// The number of an object in a keyed archive.
  case uid(UInt64)

  /// Reads a binary property list.
  ///
  /// Safe for bytes from anywhere: time and memory grow no faster than their number, with a fixed
  /// allowance (16 MiB) for values that are shared. Each dictionary's keys must be texts, and
  /// differ.
  ///
  /// - Throws: `PropertyListError` where the bytes are no such list, or nest more than 128 deep.
  public init(binary bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
    var reader = try BinaryPropertyListReader(bytes)
    self = try reader.readRoot()
  }

  /// Reads a binary property list from an array, from `Data`, or from any other bytes.
  ///
  /// - Throws: `PropertyListError` where the bytes are no such list, or nest more than 128 deep.
  public init(binary bytes: some Sequence<UInt8>) throws(PropertyListError) {
    let read: Result<PropertyList, PropertyListError>? = bytes.withContiguousStorageIfAvailable {
      PropertyList.read(UnsafeRawBufferPointer($0))
    }
    self = try (read ?? Array(bytes).withUnsafeBytes(PropertyList.read)).get()
  }

  /// The list in Apple's binary format.
  ///
  /// A list always gives the same bytes: dictionaries are written by sorted keys. As Apple's writer
  /// does, it writes a text, number, date or data once however often it occurs, and whole numbers
  /// as short as they go. Takes some tens of microseconds a kilobyte.
  public var binary: [UInt8] {
    BinaryPropertyListWriter(self).bytes
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer
  ) -> Result<PropertyList, PropertyListError> {
    Result { () throws(PropertyListError) in try PropertyList(binary: bytes) }
  }
}
