import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Stores on a server, which another program handles if this one was built for files only.
extension CommandRun {
  /// The name of the program that can open stores on servers.
  static let serverProgram = "dogwalk-postgresql"

  /// Replaces this program by `dogwalk-postgresql` if the store is on a server and this one only
  /// opens files.
  ///
  /// Git runs its commands likewise. The program is looked up in this one's folder, then in `PATH`.
  /// Returns if this program can run the command itself.
  ///
  /// - Parameter isNeeded: whether the command needs its store; any other one runs without it.
  /// - Throws: `Complaint` if there is no such program, and the store is needed.
  func execServerProgram(isNeeded: Bool) throws {
    #if !PostgreSQL
      guard let text = try values[.store] ?? setting(.store)?.text, StoreLocation.isServer(text)
      else { return }
      becomeServerProgram()
      guard isNeeded else { return }
      throw Complaint(filesOnly: "the store is on a server", hint: "name a file with --store PATH")
    #endif
  }

  /// Replaces this program by `dogwalk-postgresql` if a command names another store on a server.
  ///
  /// - Throws: `Complaint` if there is no such program.
  func execServerProgram(forOther path: String) throws {
    #if !PostgreSQL
      guard StoreLocation.isServer(path) else { return }
      becomeServerProgram()
      throw Complaint(filesOnly: "the other store is on a server", hint: "name a file")
    #endif
  }

  #if !PostgreSQL
    /// Replaces this process by that program; returns if there is none.
    private func becomeServerProgram() {
      let own = CommandLine.words.first ?? ""
      // If that program could not open servers either, it would run itself forever.
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
    /// Creates the complaint that this program cannot open something on a server.
    fileprivate init(filesOnly what: String, hint: String) {
      self.init(
        .unavailable, "this dogwalk supports only files, and \(what)",
        hint: "Install \(CommandRun.serverProgram), or \(hint).")
    }
  }
#endif
