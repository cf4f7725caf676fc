#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  /// The address of a store on a server, parsed from a URL:
  /// `postgres://ana@db.example/walks?store=dogwalk`.
  ///
  /// Everything in it is libpq's syntax except `store`, the schema of the store.
  struct PostgreSQLAddress {
    /// The URL without `store`, for libpq.
    let connectionText: String
    /// The schema; `dogwalk` by default.
    let schema: String
    /// The URL without passwords, for display.
    let location: URL
    /// The host and the user, for messages.
    let host: String
    let user: String?
    /// Whether the connection stays within this machine, where it cannot be intercepted.
    let isLocal: Bool

    static let standardSchema = "dogwalk"

    /// - Throws: `PostgreSQLError` if libpq cannot parse it.
    init(_ url: URL) throws {
      let text = url.absoluteString
      var base = text
      var items: [Substring] = []
      if let mark = text.firstIndex(of: "?") {
        base = String(text[..<mark])
        items = text[text.index(after: mark)...].split(separator: "&")
      }
      func join(_ base: String, _ items: [Substring]) -> String {
        items.isEmpty ? base : base + "?" + items.map(String.init).joined(separator: "&")
      }
      let store = items.last { $0.hasPrefix("store=") }?.dropFirst("store=".count)
      items.removeAll { $0.hasPrefix("store=") }
      connectionText = join(base, items)
      schema = store?.utf8.withoutEscapes ?? Self.standardSchema
      guard (1...63).contains(schema.utf8.count), !schema.hasPrefix("pg_"),
        !schema.utf8.contains(0)
      else {
        throw PostgreSQLError.misuse("a store's name has 1 to 63 bytes and does not begin with pg_")
      }
      location = URL(string: url.location) ?? URL(filePath: "/")
      let options = try Self.options(in: connectionText)
      func value(_ name: String, or variable: String) -> String? {
        options[name]
          ?? getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      }
      user = value("user", or: "PGUSER")
      let found = value("host", or: "PGHOST") ?? value("hostaddr", or: "PGHOSTADDR")
      let isSocket = found.map { $0.hasPrefix("/") || $0.hasPrefix("@") } ?? true
      let port = value("port", or: "PGPORT")
      host =
        isSocket
        ? "this machine" : (found ?? "") + (port.map { $0 == "5432" ? "" : ":\($0)" } ?? "")
      let usesService = options["service"] != nil || getenv("PGSERVICE") != nil
      isLocal =
        isSocket && !usesService
        || ["localhost", "127.0.0.1", "::1"].contains(found ?? "")
      // An explicit TLS setting is respected.
      saysTLS = options["sslmode"] != nil || getenv("PGSSLMODE") != nil || usesService
    }

    /// Whether the settings say explicitly if the connection is encrypted.
    let saysTLS: Bool

    /// The settings in a URL, as libpq parses them.
    private static func options(in text: String) throws -> [String: String] {
      var message: UnsafeMutablePointer<CChar>?
      guard let found = PQconninfoParse(text, &message) else {
        defer { PQfreemem(message) }
        // libpq's message may quote the text, including a password.
        throw PostgreSQLError.misuse("it is not a URL that PostgreSQL's library can read")
      }
      defer { PQconninfoFree(found) }
      var options: [String: String] = [:]
      var option = found
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val {
          options[String(cString: keyword)] = String(cString: value)
        }
        option += 1
      }
      return options
    }
  }
#endif
