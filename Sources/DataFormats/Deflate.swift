import CZlib

/// DEFLATE, the compression of RFC 1951, without a header, as in a store's `Z_MODELCACHE`.
///
///     let content = Deflate.compress(archive)
///     Deflate.decompress(content, limit: 64 << 20)   // archive
package enum Deflate {
  /// The level with which zlib produces exactly the bytes that Core Data writes.
  private static let level: Int32 = 5
  /// The largest window; negative for no header.
  private static let windowBits = -MAX_WBITS
  private static let pieceSize = 1 << 14

  /// Compresses bytes; takes about 10 ms per megabyte.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let status = deflateInit2_(
      &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { fatalError("zlib has no memory to compress with.") }
    defer { deflateEnd(&stream) }
    return run(&stream, over: bytes, atMost: .max) { deflate($0, Z_FINISH) } ?? []
  }

  /// Decompresses bytes; nil if they are damaged, truncated, or expand beyond the limit.
  ///
  /// Data after the end are ignored.
  package static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    let status = inflateInit2_(
      &stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    return run(&stream, over: bytes, atMost: limit) { inflate($0, Z_NO_FLUSH) }
  }

  /// Runs a stream over bytes; nil if it does not reach its end, or its output exceeds the limit.
  private static func run(
    _ stream: inout z_stream, over bytes: [UInt8], atMost limit: Int,
    step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> [UInt8]? {
    guard let count = uInt(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBufferPointer { input in
      // zlib does not write to the input; only its header does not declare that.
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = count
      var (output, status) = ([UInt8](), Z_OK)
      while status == Z_OK, output.count <= limit {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceSize) { piece in
          stream.next_out = piece.baseAddress
          stream.avail_out = uInt(piece.count)
          status = step(&stream)
          output.append(contentsOf: piece[..<(piece.count - Int(stream.avail_out))])
        }
      }
      return status == Z_STREAM_END && output.count <= limit ? output : nil
    }
  }
}
