extension UUID {
  /// A random UUID, version 4 of RFC 9562, from the system's generator.
  ///
  /// FoundationEssentials' `UUID()` opens `/dev/urandom` each time, which costs more than the rest
  /// of inserting an object.
  package static func random() -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    guard getentropy(&bytes, MemoryLayout.size(ofValue: bytes)) == 0 else { return UUID() }
    bytes.6 = bytes.6 & 0x0F | 0x40
    bytes.8 = bytes.8 & 0x3F | 0x80
    return UUID(uuid: bytes)
  }
}
