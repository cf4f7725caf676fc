import DataFormats
package import SystemLibraries

extension URL {
  /// The location of a store for display: the path of a file, or a URL without passwords.
  package var location: String {
    guard let scheme, scheme != "file" else { return path }
    let parts = absoluteString.split(separator: "?", maxSplits: 1)
    var base = String(parts[0])
    // The user name ends at the first colon after `://`. A password may contain characters that
    // should be escaped, so it is assumed to extend to the last @.
    let start = base.index(base.startIndex, offsetBy: scheme.count + 3, limitedBy: base.endIndex)
    if let start, let at = base[start...].lastIndex(of: "@"),
      let colon = base[start..<at].firstIndex(of: ":")
    {
      base = String(base[..<colon] + base[at...])
    }
    // An unknown key may be a mistyped `password`.
    let items = parts.dropFirst().first?.split(separator: "&").filter {
      Self.shownSettings.contains(String($0.prefix { $0 != "=" }))
    }
    guard let items, !items.isEmpty else { return base }
    return base + "?" + items.map { String($0) }.joined(separator: "&")
  }

  /// The settings in a server's URL that are shown.
  private static let shownSettings: Set<String> = [
    "store", "host", "hostaddr", "port", "dbname", "user", "service", "sslmode", "sslrootcert",
    "sslcert", "sslkey", "connect_timeout", "application_name", "options", "target_session_attrs",
    "client_encoding", "gssencmode", "channel_binding", "keepalives", "tcp_user_timeout",
    "load_balance_hosts", "require_auth",
  ]

  /// Whether the URL names a store on a PostgreSQL server.
  package var isPostgreSQL: Bool {
    // `scheme` would search a list of all registered schemes.
    let text = absoluteString
    return text.hasPrefix("postgres:") || text.hasPrefix("postgresql:")
  }

  /// The path of a file URL with percent escapes decoded.
  ///
  /// Does the same as `path`, whose character sets cost 70 µs on first use.
  package var filePath: String {
    let text = absoluteString
    guard text.hasPrefix("file://") else { return path }
    return text.utf8.dropFirst("file://".utf8.count)[...].withoutEscapes
  }
}

extension Substring.UTF8View {
  /// The text with its percent escapes read; a `%` without two hexadecimal digits stays as it is.
  var withoutEscapes: String {
    var bytes: [UInt8] = []
    var rest = self
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(\.hexadecimalDigit)
      guard byte == UInt8(ascii: "%"), digits.count == 2 else {
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
      bytes.append(digits[0] << 4 | digits[1])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The path with a symbolic link at its end resolved, whether or not its target exists.
  ///
  /// Files that belong to a store are next to its file, not next to a link to it.
  package var resolvingFinalSymlink: String {
    var path = self
    // The limit of the system.
    for _ in 0..<40 {
      let target: String? = withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: Int(PATH_MAX)
      ) { buffer in
        // The buffer is not empty, so it has an address.
        let count = readlink(path, buffer.baseAddress!, buffer.count)
        guard count >= 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
      }
      guard let target else { break }
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    return path
  }
}
