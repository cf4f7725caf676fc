import CommandLineKit
import ManagedObjects
import SystemLibraries

extension Complaint {
  /// Creates the complaint about a store on a server that cannot be reached, read or written.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(server error: PersistentStoreError, call: String) {
    switch error {
    case .unreachable(_, let host, let reason):
      self.init(
        .unavailable,
        "cannot reach the store at \(host.escapingControls): \(Self.line(reason))",
        hint: "Nothing was changed. "
          + (reason.contains("SSL") || reason.contains("sslmode")
            ? "Connections to other machines must be encrypted: give the server a certificate, or add "
              + "?sslmode=disable to the URL in a trusted network."
            : "Try again when the server is running."))
    case .refused(let url, let refusal, let host, let user):
      self.init(refusal, url, host: host.escapingControls, user: user?.escapingControls)
    case .connectionLost(_, let reason):
      self.init(
        .busy,
        "the connection to the server broke before the change was saved: \(Self.line(reason))",
        hint: "Nothing was changed. Try again.")
    case .outcomeUnknown(_, let reason):
      self.init(
        .inputOutput,
        "the connection to the server broke while the change was saved (\(Self.line(reason))): it may have "
          + "been saved or not",
        hint: "Look before you repeat it: \(call) list")
    case .serverFailed(let url, "MOURL", let reason):
      self.init(
        .usage, "cannot use the store \(Self.name(url)): \(Self.line(reason))",
        hint: "Write postgres://USER@HOST/DATABASE, or name a file with --store PATH.")
    case .serverFailed(let url, "MOENC", let reason):
      self.init(
        .cannotCreate, "cannot make the store \(Self.name(url)): \(Self.line(reason))",
        hint: "Make a database for it: createdb -E UTF8 -T template0 --locale=C NAME")
    case .serverFailed(let url, let state, let reason)
    where state.hasPrefix("53") || state == "57P03":
      self.init(serverOf: url, lacks: state, reason)
    case .serverFailed(let url, let state, let reason) where Self.meanDamage.contains(state):
      self.init(
        .badData, "the store \(Self.name(url)) is damaged: \(Self.line(reason)) (\(state))",
        hint: "Nothing was changed. See what is missing: \(call) doctor")
    case .serverFailed(let url, let state, let reason):
      self.init(
        .inputOutput,
        "cannot read or write the store \(Self.name(url)): \(Self.line(reason)) (\(state))",
        hint: "Nothing was changed.")
    default: self.init(bug: error.description)
    }
  }

  /// The errors for a missing table, column or schema, a column of another type, a value that is
  /// missing, and damaged data or indexes.
  private static let meanDamage = [
    "42P01", "42703", "3F000", "42804", "23502", "XX001", "XX002",
  ]

  private init(
    _ refusal: PersistentStoreError.ServerRefusal, _ url: URL, host: String, user: String?
  ) {
    let name = user.map { "the user \($0)" } ?? "you"
    switch refusal {
    case .login:
      self.init(
        .noPermission,
        "\(host) does not let \(name) in: no such user, or a password that is wrong or missing",
        hint: "Passwords belong in ~/.pgpass.")
    case .database:
      let database = url.path.dropFirst()
      self.init(
        .noInput,
        "there is no database \(ValidationError.quoted(String(database))) on \(host)",
        hint: "Make it there: createdb \(String(database).escapingControls)")
    case .permission:
      self.init(
        .noPermission, "\(host) does not let \(name) do this in the store \(Self.name(url))",
        hint: "Nothing was changed. The owner of the database can grant it.")
    }
  }

  /// Creates the complaint that a server cannot accept more work for now.
  private init(serverOf url: URL, lacks state: String, _ reason: String) {
    let what =
      switch state {
      case "53300": "accepts no more connections now"
      case "57P03": "is starting or stopping"
      default: "has no resources left: \(Self.line(reason)) (\(state))"
      }
    self.init(
      .busy, "the server of the store \(Self.name(url)) \(what)",
      hint: "Nothing was changed. Try again later.")
  }

  /// Returns the first line of a message from a server or its library.
  private static func line(_ reason: String) -> String {
    let line = reason.split(whereSeparator: \.isNewline).first ?? ""
    return (line.last == "." ? line.dropLast() : line).description.escapingControls
  }
}
