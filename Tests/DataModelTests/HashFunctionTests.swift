import TestSupport
import Testing

@testable import DataModel

@Suite("The hash functions of FIPS 180-4")
struct HashFunctionTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 matches the standard's examples`(message: String, digest: String) {
    #expect(hexadecimal(SHA256.hash(data: message.utf8)) == digest)
  }

  @Test(arguments: [
    (
      "",
      """
      cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
      47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
      """
    ),
    (
      "abc",
      """
      ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
      2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
      """
    ),
    (
      """
      abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
      hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu
      """,
      """
      8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
      501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
      """
    ),
  ])
  func `SHA-512 matches the standard's examples`(message: String, digest: String) {
    #expect(hexadecimal(SHA512.hash(data: message.utf8)) == digest)
  }

  @Test func `a million times the letter a, added in uneven pieces, has the published digest`() {
    let pieces = [1, 63, 64, 65, 127, 128, 129, 999_423]
    var (short, long) = (SHA256(), SHA512())
    for count in pieces {
      short.update(data: [UInt8](repeating: 0x61, count: count))
      long.update(data: [UInt8](repeating: 0x61, count: count))
    }
    #expect(pieces.reduce(0, +) == 1_000_000)
    #expect(
      hexadecimal(short.finalize())
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    #expect(
      hexadecimal(long.finalize()) == """
        e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
        de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b
        """)
  }

  // The digest of the digests of 301 messages, as Python's hashlib gives it.
  @Test func `every length around block boundaries hashes correctly`() {
    var (short, long) = (SHA256(), SHA512())
    for length in 0...300 {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
      short.update(data: SHA256.hash(data: message))
      long.update(data: SHA512.hash(data: message))
    }
    #expect(
      hexadecimal(short.finalize())
        == "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc")
    #expect(
      hexadecimal(long.finalize()) == """
        e1f2f7d5d8fc48db06ec2a0eed639593f549caffa40245747258761214a3ec07\
        134903fde52ace6cfae161a82097ba01f33a97d48dd6a80d4521d96d7401357e
        """)
  }

  @Test func `a digest may be taken in the middle of a message`() {
    var hash = SHA256()
    hash.update(data: "ab".utf8)
    #expect(hash.finalize() == SHA256.hash(data: "ab".utf8))
    hash.update(data: "c".utf8)
    #expect(hash.finalize() == SHA256.hash(data: "abc".utf8))
  }

  @Test func `noncontiguous bytes are hashed too`() {
    let message = sequence(first: UInt8(0)) { $0 < 200 ? $0 + 1 : nil }
    #expect(SHA512.hash(data: message) == SHA512.hash(data: Array(message)))
  }
}
