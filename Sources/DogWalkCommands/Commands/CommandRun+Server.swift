import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// A store on a server: another program's work where this one was built for files only.
extension CommandRun {
  /// The name of the program that knows servers.
  static let serverProgram = "dogwalk-postgresql"

  /// Has `dogwalk-postgresql` run the command where the store is on a server and this program knows
  /// files only, as git runs its commands: it lies beside this one, or in `PATH`.
  ///
  /// Returns where this program is the one.
  ///
  /// - Parameter isNeeded: whether the command is nothing without its store; any other is done
  ///   without it.
  /// - Throws: `Complaint` where there is no such program, and it is needed.
  func handOver(isNeeded: Bool) throws {
    #if !PostgreSQL
      guard let text = try values[.store] ?? setting(.store)?.text, StoreLocation.isServer(text)
      else { return }
      becomeServerProgram()
      guard isNeeded else { return }
      throw Complaint(filesOnly: "the store is on a server", hint: "name a file with --store PATH")
    #endif
  }

  /// Has `dogwalk-postgresql` run a command that names another store, where that is on a server.
  ///
  /// - Throws: `Complaint` where there is no such program.
  func handOver(forOther path: String) throws {
    #if !PostgreSQL
      guard StoreLocation.isServer(path) else { return }
      becomeServerProgram()
      throw Complaint(filesOnly: "the other store is on a server", hint: "name a file")
    #endif
  }

  #if !PostgreSQL
    /// Goes on as that program; returns where there is none.
    private func becomeServerProgram() {
      let own = CommandLine.words.first ?? ""
      // One of that name that knows no servers either would run itself for ever.
      guard endsWithCommand, !own.hasSuffix(Self.serverProgram) else { return }
      let folder = own.lastIndex(of: "/").map { String(own[...$0]) }
      var words = ([Self.serverProgram] + words).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      if let folder { execv(folder + Self.serverProgram, &words) }
      execvp(Self.serverProgram, &words)
    }
  #endif

  /// Whether the store is on a server.
  func isOnServer() throws -> Bool { try storeURL().isPostgreSQL }
}

#if !PostgreSQL
  extension Complaint {
    /// The complaint that something on a server was named.
    fileprivate init(filesOnly what: String, hint: String) {
      self.init(
        .unavailable, "this dogwalk knows files only, and \(what)",
        hint: "Install \(CommandRun.serverProgram), or \(hint).")
    }
  }
#endif
