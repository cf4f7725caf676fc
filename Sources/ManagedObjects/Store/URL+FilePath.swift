#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// The path of a file URL, its percent escapes read.
  ///
  /// `path` does that too, with sets of characters that cost 70 µs at first touch.
  var filePath: String {
    let text = absoluteString
    guard text.hasPrefix("file://") else { return path }
    var bytes: [UInt8] = []
    var rest = text.utf8.dropFirst("file://".utf8.count)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let high = rest.popFirst(), let low = rest.popFirst(),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
