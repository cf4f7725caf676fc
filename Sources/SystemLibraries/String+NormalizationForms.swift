#if canImport(Darwin)
  import Foundation
#else
  // FoundationEssentials has no normalization forms; the standard library has them, half hidden.
  @_spi(_Unicode) import Swift
#endif

extension String {
  /// The text in Unicode's form NFC: letters with their marks in one scalar, where there is one.
  package var canonicallyComposed: String {
    #if canImport(Darwin)
      precomposedStringWithCanonicalMapping
    #else
      String(String.UnicodeScalarView(_nfc))
    #endif
  }

  /// The text in Unicode's form NFD: letters and their marks in scalars of their own.
  package var canonicallyDecomposed: String {
    #if canImport(Darwin)
      decomposedStringWithCanonicalMapping
    #else
      String(String.UnicodeScalarView(_nfd))
    #endif
  }
}
