import DataFormats
import SystemLibraries

/// Who runs the program, as the system's list of users has it.
///
///     SystemUser.name()   // "ana"
///
/// The list is read here: in a program that is one static file the C library cannot look users up.
/// Those who are in another list, as on Apple's systems or in a directory on the network, it does
/// not find.
enum SystemUser {
  /// The name of a user; `nil` where the list has none.
  ///
  /// - Parameters:
  ///   - number: the user's number, which several names may have: the first one counts.
  ///   - list: the path of the list.
  static func name(of number: UInt32 = getuid(), in list: String = "/etc/passwd") -> String? {
    // A list that cannot be read names nobody.
    guard let bytes = try? InputFile.bytes(of: list, atMost: 1 << 24) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // ana:x:1000:1000:Ana:/home/ana:/bin/sh
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count == 4, !fields[0].isEmpty,
        UInt32(String(decoding: fields[2], as: UTF8.self)) == number
      else { continue }
      return String(decoding: fields[0], as: UTF8.self)
    }
    return nil
  }
}
