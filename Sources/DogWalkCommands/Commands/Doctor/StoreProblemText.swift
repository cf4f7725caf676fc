import CommandLineKit
import DogWalkModel
import ManagedObjects

/// A problem of the store as described to people, and its remedy.
struct StoreProblemText {
  private let problem: StoreProblem
  /// How the program is called in the commands that hints suggest.
  private let call: String

  init(_ problem: StoreProblem, call: String) { (self.problem, self.call) = (problem, call) }

  /// The problem and its consequences.
  var sentence: String {
    switch problem.kind {
    case .danglingReference where problem.propertyName == "walker":
      return
        "\(walks) \(isOne ? "was" : "were") walked by somebody whose name was lost. Set the walker, as in "
        + "\(call) edit \(problem.primaryKeys.first ?? 1) --by NAME"
    case .danglingReference where problem.propertyName == "track":
      return
        "\(walks) \(isOne ? "has" : "have") lost the points of \(isOne ? "its track" : "their tracks"), and "
        + "nothing else."
    case .danglingReference where problem.propertyName == "dog":
      let numbers = problem.primaryKeys.map { "\($0)" }
      let first = numbers.first ?? "1"
      return
        "\(walks) \(isOne ? "belongs" : "belong") to a dog that no longer exists. Give \(isOne ? "it" : "each") "
        + "another, as in \(call) edit \(first) --dog NAME, or delete "
        + "\(isOne ? "it" : "them"): \(call) delete \(numbers.joined(separator: " "))"
    case .missingValue where problem.entityName == "Walk" && problem.propertyName == "date",
      .unreadableValue where problem.entityName == "Walk" && problem.propertyName == "date":
      return
        "\(walks) \(isOne ? "has" : "have") no start. Say when \(isOne ? "it" : "each") began, as in "
        + "\(call) edit \(problem.primaryKeys.first ?? 1) 18:00"
    case .unreadableValue where problem.entityName == "Walk":
      return
        "\(walks) \(isOne ? "has" : "have") a value of the wrong type "
        + "(\(problem.propertyName ?? "in one column")), which counts as none. Set it again: "
        + "\(call) edit \(problem.primaryKeys.first ?? 1)"
    case .undoLog:
      return
        "Some commands in the history cannot be undone, since what they changed cannot be read: "
        + "\("\(problem)".escapingControls). \(call) undo --skip skips them."
    case .orderKeys:
      return
        "\(walks) \(isOne ? "has" : "have") no position of \(isOne ? "its" : "their") own in the dog's "
        + "list. This matters only to apps that show the list in that order."
    case .unknownEntity:
      return "The store has rows of an unknown kind, which no command shows: \(problem)."
    case .bookkeeping where problem.entityName != nil:
      return
        "Numbers in the store's tables are wrong: \(problem). New walks still get "
        + "unused numbers."
    case .damagedFile, .missingTable, .schema, .bookkeeping, .danglingReference, .oneSidedReference,
      .repeatedValue, .missingValue, .unreadableValue, .missingExternalData:
      return "\(problem)".escapingControls
    }
  }

  private var isOne: Bool { problem.primaryKeys.count == 1 }

  /// The affected walks: "Walks 3 and 7".
  private var walks: String {
    "Walk\(isOne ? "" : "s") \(sentenceList(problem.primaryKeys.map { "\($0)" }))"
  }

  /// Returns the remedy for some problems together.
  ///
  /// - Parameters:
  ///   - path: The location of the store.
  ///   - isReadable: Returns whether every walk can still be read; called if the file is damaged.
  static func remedy(
    for problems: [StoreProblem], ofStoreAt path: String, onServer: Bool, call: String,
    isReadable: () -> Bool
  ) -> String {
    let new = onServer ? "URL of a new store, as with ?store=NAME" : "NEW.sqlite"
    if problems.contains(where: { $0.kind == .missingTable }) {
      if onServer {
        return
          "The store cannot be used without it. Restore the table on the server, for example from a "
          + "dump; a copy made by \(call) doctor --backup goes into a new store with dogwalk export "
          + "--store COPY.sqlite | dogwalk import - --store \(new)"
      }
      return
        "Nothing can be read without it. Replace the store with a copy of it: \(call) doctor --backup "
        + "makes such copies."
    }
    if problems.contains(where: { $0.kind == .damagedFile }) {
      guard isReadable() else {
        return
          "Not all walks can be read. Replace the store with a good copy: \(call) doctor --backup makes "
          + "such copies. Without one, SQLite's shell prints what it can still read: sqlite3 "
          + "\(path.shellWord) .dump"
      }
      return
        "All walks can be read: \(call) export -o walks.json saves them, then import it elsewhere."
    }
    return
      "To move the walks to a new store, without these errors: \(call) export -o walks.json, then dogwalk import walks.json "
      + "--store \(new)"
  }
}
