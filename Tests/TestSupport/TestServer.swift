import Foundation

/// The PostgreSQL server that `Scripts/with-postgres` has started for the tests.
package enum TestServer {
  /// The URL of a database for stores of tests; nil if there is none, or the package is built
  /// without its trait `PostgreSQL`.
  package static let url: String? = {
    #if PostgreSQL
      ProcessInfo.processInfo.environment["TEST_POSTGRES"]
    #else
      nil
    #endif
  }()

  /// The URL of a store there that no other test has; it goes with the server.
  ///
  /// - Parameter text: what no other test passes, such as the path of a temporary file.
  package static func store(for text: String) -> String? {
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return url.map { "\($0)&store=test_\(String(number, radix: 16))" }
  }
}
