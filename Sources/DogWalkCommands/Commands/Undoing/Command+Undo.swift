import CommandLineKit
import DogWalkModel
import ManagedObjects

extension Option {
  /// `--skip`: skips commands that cannot be undone.
  static let skip = flag(
    "skip", help: "pass over commands whose walks others have changed since")
}

extension Command {
  /// `dogwalk undo`: undoes the last command.
  static let undo = Command(
    CommandSpecification(
      abstract: "Take back the last command of your own that changed something, whole.",
      examples: [
        .init("dogwalk undo", "as if the last command had not been given"),
        .init("dogwalk history", "what could be taken back"),
        .init("dogwalk redo", "after all"),
        .init("dogwalk undo --skip", "the last one that can be, where the last one cannot"),
      ],
      options: [.skip, .json],
      surplusHint: "It takes back the last command; call it again for the one before.",
      discussion: [
        "Walks come back with their numbers. At least the last 1,000 commands can be taken back: "
          + "your own, and those whose author nobody knows. You are $DOGWALK_BY, else who dogwalk "
          + "config by says, else the system's user.",
        "What others or a program that keeps no history changed since is never overwritten: the "
          + "command stays in the way of those before it until --skip passes over it for good. A row that "
          + "somebody changes by SQL, as with psql or sqlite3, counts as changed only where the statement "
          + "raises its Z_OPT, too.",
      ])
  ) { run in try RevertReport.revert(.undo, run) }

  /// `dogwalk redo`: repeats a command that was undone.
  static let redo = Command(
    CommandSpecification(
      abstract: "Do the command again that was taken back last.",
      examples: [
        .init("dogwalk redo", "take the undo back"),
        .init("dogwalk history", "what could be done again: it is marked undone"),
      ],
      options: [.json],
      discussion: ["It can be done until a new command changes something."])
  ) { run in try RevertReport.revert(.redo, run) }
}

extension Complaint {
  /// Creates the complaint that a command could not be undone or redone.
  init(
    _ error: StoreUndoError, _ command: StoreUndoLog.Command, _ direction: WalkLog.Direction,
    call: String
  ) {
    let verb = direction == .undo ? "undo" : "redo"
    let what = "cannot \(verb) \(command.shownName)"
    let left = "Nothing was changed now."
    let walks = command.inserted.filter { $0.entity.name == "Walk" }.compactMap(\.primaryKey)
    let isNew = error.sharedObject.map(command.inserted.contains) ?? false
    let alone =
      isNew && walks.count == 1
      ? " To delete its walk alone: \(call) delete \(walks[0])." : ""
    let hint =
      direction == .redo ? left : "\(left)\(alone) To pass over it: \(call) undo --skip"
    self.init(
      error == .superseded ? .busy : .no, "\(what): \(error.reading)",
      hint: error == .superseded ? "Nothing was changed here. Look at \(call) history." : hint)
  }
}

extension StoreUndoError {
  /// The dog, walker or tag that the error is about, which other walks may have as well.
  fileprivate var sharedObject: ManagedObjectID? {
    guard case .changedSince(let id?) = self, id.entity.name != "Walk" else { return nil }
    return id
  }

  /// The error as a clause.
  var reading: String {
    switch self {
    case .changedSince(let id):
      switch (id?.entity.name, id?.primaryKey) {
      case ("Walk", let number?): "walk \(number) has been changed since"
      case ("Dog", _): "a dog of it, or one of its walks, has been changed since"
      case ("Tag", _): "a tag of it has been changed since, or given to other walks"
      case ("Walker", _): "a walker of it has been changed since, or has other walks"
      default: "something of it has been changed since"
      }
    case .deletedSince(let id):
      switch id.entity.name {
      case "Walk": "walk \(id.primaryKey ?? 0) has been deleted since"
      case "Dog": "a dog of it has been deleted since"
      case "Walker": "somebody who walked has been deleted since"
      default: "something of it has been deleted since"
      }
    case .superseded: "other commands keep coming between"
    case .otherModel: "it was given to another version of dogwalk"
    case .unreadable: "what the store keeps of it is damaged"
    }
  }
}
