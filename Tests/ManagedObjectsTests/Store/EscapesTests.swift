import Testing

@testable import ManagedObjects

/// Percent escapes of URLs.
@Suite struct EscapesTests {
  @Test(
    arguments: [
      ("a%20b", "a b"), ("%C3%A9", "é"), ("100%", "100%"), ("%4", "%4"), ("%zz%41", "%zzA"),
      ("%+1%-1", "%+1%-1"), ("%%41", "%A"), ("", ""),
    ])
  func `are decoded, and other text is unchanged`(text: String, expected: String) {
    #expect(text.utf8[...].withoutEscapes == expected)
  }
}
