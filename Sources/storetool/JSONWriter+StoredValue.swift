import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import SystemLibraries

extension JSONWriter {
  /// Writes a value according to its attribute's type.
  ///
  /// A Boolean is written as `true` or `false`, a UUID as text, bytes in base64; a value that does
  /// not have the type is written as stored.
  mutating func value(_ stored: StoredValue?, of attribute: AttributeDescription) {
    guard let stored else { return null() }
    switch (attribute.type, stored) {
    case (.boolean, _): value(stored.isTrue)
    case (.uuid, .bytes(let bytes)) where bytes.count == 16:
      value(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString)
    case (.binaryData, .bytes(let bytes)), (.transformable, .bytes(let bytes)):
      value(data: bytes, isExternal: attribute.allowsExternalBinaryDataStorage)
    case (.binaryData, .text(let text)), (.transformable, .text(let text)):
      value(data: Array(text.utf8), isExternal: attribute.allowsExternalBinaryDataStorage)
    case (_, .integer(let number)): value(Int(number))
    case (_, .real(let number)): value(unbounded: number)
    case (_, .text(let text)): value(text)
    case (_, .bytes(let bytes)): value(base64: bytes)
    }
  }

  /// Writes bytes that may have a prefix: 1 before the bytes themselves, 2 before a file's name.
  private mutating func value(data: [UInt8], isExternal: Bool) {
    if isExternal, data.first == 1 {
      value(base64: data.dropFirst())
    } else if isExternal, data.first == 2, data.count == 38 {
      object { $0.member("external", String(decoding: data[1..<37], as: UTF8.self)) }
    } else {
      value(base64: data)
    }
  }
}

extension StoredValue {
  /// Whether a stored value is true as a Boolean.
  fileprivate var isTrue: Bool {
    switch self {
    case .integer(let number): number != 0
    case .real(let number): number != 0
    case .text(let text): !text.isEmpty
    case .bytes(let bytes): !bytes.isEmpty
    }
  }
}
