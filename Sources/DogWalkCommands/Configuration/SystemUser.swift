import DataFormats
import SystemLibraries

/// The user who runs the program, from the system's list of users.
///
///     SystemUser.name()   // "ana"
///
/// The list is read directly, since the C library cannot look up users in a statically linked
/// program. Users from other lists, as on Apple's systems or in a network directory, are not found.
enum SystemUser {
  /// Returns the name of a user; `nil` if the list has none.
  ///
  /// - Parameters:
  ///   - number: the user's number; if several names have it, the first one counts.
  ///   - list: the path of the list.
  static func name(of number: UInt32 = getuid(), in list: String = "/etc/passwd") -> String? {
    // Without a readable list there is no name.
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

  /// Returns the user as the author of a command: the name, or `uid 4242` if the list has none.
  ///
  /// Without that, a user without a name could undo everybody's commands.
  static func author(
    of number: UInt32 = getuid(), in list: String = "/etc/passwd"
  ) -> String {
    name(of: number, in: list) ?? "uid \(number)"
  }
}
