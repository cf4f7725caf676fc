public import SystemLibraries

/// A property list: the tree of values in which Core Data stores a store's metadata.
///
///     let metadata = try PropertyList(binary: blob)
///     guard case .dictionary(let entries) = metadata else { return }
///     entries["NSStoreType"]   // .string("SQLite")
///
/// Reads and writes Apple's binary format, `bplist00`, without Foundation's coders: reading a
/// store's metadata takes a few microseconds.
///
/// Texts that differ only in their Unicode normalization are equal here, like Swift's strings; they
/// are written as two different ones.
public enum PropertyList: Sendable, Hashable {
  /// Values by key.
  case dictionary([String: PropertyList])
  /// A list of values.
  case array([PropertyList])
  /// A text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// An integer.
  case integer(Int64)
  /// An integer greater than the maximum of `Int64`; smaller ones are read back as `integer`.
  case unsignedInteger(UInt64)
  /// A floating-point number, written in 64 bits.
  case real(Double)
  /// A Boolean.
  case boolean(Bool)
  /// The UID of an object in a keyed archive.
  case uid(UInt64)

  /// Reads a binary property list.
  ///
  /// Safe for untrusted bytes: time and memory are linear in their number, plus a fixed allowance
  /// (16 MiB) for shared values. The keys of each dictionary must be unique texts.
  ///
  /// - Throws: `PropertyListError` if the bytes are not a property list, or are nested deeper
  ///   than 128 levels.
  public init(binary bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
    var reader = try BinaryPropertyListReader(bytes)
    self = try reader.readRoot()
  }

  /// Reads a binary property list from an array, from `Data`, or from other bytes.
  ///
  /// - Throws: `PropertyListError` if the bytes are not a property list, or are nested deeper
  ///   than 128 levels.
  public init(binary bytes: some Sequence<UInt8>) throws(PropertyListError) {
    let read: Result<PropertyList, PropertyListError>? = bytes.withContiguousStorageIfAvailable {
      PropertyList.read(UnsafeRawBufferPointer($0))
    }
    self = try (read ?? Array(bytes).withUnsafeBytes(PropertyList.read)).get()
  }

  /// The list in Apple's binary format.
  ///
  /// The output is deterministic: dictionaries are sorted by key. Like Apple's writer, it writes
  /// each distinct text, number, date and data once, and integers in the shortest form. Takes some
  /// tens of microseconds per kilobyte.
  public var binary: [UInt8] {
    BinaryPropertyListWriter(self).bytes
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer
  ) -> Result<PropertyList, PropertyListError> {
    Result { () throws(PropertyListError) in try PropertyList(binary: bytes) }
  }
}
