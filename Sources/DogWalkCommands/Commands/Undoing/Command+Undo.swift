import CommandLineKit
import DogWalkModel
import ManagedObjects

extension Option {
  /// `--skip`: skips commands that cannot be undone.
  static let skip = flag(
    "skip", help: "skip commands whose walks others have changed since")
}

extension Command {
  /// `dogwalk undo`: undoes the last command.
  static let undo = Command(
    CommandSpecification(
      abstract: "Undo the last command of your own that changed something, completely.",
      examples: [
        .init("dogwalk undo", "as if the last command had not been given"),
        .init("dogwalk history", "what can be undone"),
        .init("dogwalk redo", "redo it"),
        .init("dogwalk undo --skip", "skip a command that cannot be undone"),
      ],
      options: [.skip, .json],
      surplusHint: "It undoes the last command; call it again for the one before.",
      discussion: [
        "Restored walks have their old numbers. At least the last 1,000 commands can be "
          + "undone: your own, and those without an author. You are $DOGWALK_BY, else the "
          + "walker of dogwalk config by, else the system's user.",
        "Changes made since by others, or by a program that keeps no history, are never "
          + "overwritten: a command that they conflict with blocks the ones before it until "
          + "--skip skips it permanently. A row changed by SQL, as with psql or sqlite3, "
          + "counts as changed only if the statement also increases its Z_OPT.",
      ])
  ) { run in try RevertReport.revert(.undo, run) }

  /// `dogwalk redo`: repeats a command that was undone.
  static let redo = Command(
    CommandSpecification(
      abstract: "Redo the command that was undone last.",
      examples: [
        .init("dogwalk redo", "redo what was just undone"),
        .init("dogwalk history", "what can be redone: it is marked undone"),
      ],
      options: [.json],
      discussion: ["Possible only until another command changes something."])
  ) { run in try RevertReport.revert(.redo, run) }
}

extension Complaint {
  /// Creates the complaint that a command could not be undone or redone.
  ///
  /// - Parameter canSkip: Whether `--skip` would undo another command instead.
  init(
    _ error: StoreUndoError, _ command: StoreUndoLog.Command, _ direction: WalkLog.Direction,
    canSkip: Bool, call: String
  ) {
    let verb = direction == .undo ? "undo" : "redo"
    let what = "cannot \(verb) \(command.shownName)"
    let left = "Nothing was changed now."
    let walks = command.inserted.filter { $0.entity.name == "Walk" }.compactMap(\.primaryKey)
    let isNew = error.sharedObject.map(command.inserted.contains) ?? false
    let alone =
      isNew && walks.count == 1
      ? " To delete its walk alone: \(call) delete \(walks[0])." : ""
    let skip =
      canSkip
      ? "To skip it: \(call) undo --skip"
      : "No earlier command can be undone either: \(call) history"
    let hint = direction == .redo ? left : "\(left)\(alone) \(skip)"
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
      case ("Dog", _): "its dog, or one of that dog's walks, has been changed since"
      case ("Tag", _): "one of its tags has been changed since, or added to other walks"
      case ("Walker", _): "its walker has been changed since, or has other walks"
      default: "something that it changed has been changed since"
      }
    case .deletedSince(let id):
      switch id.entity.name {
      case "Walk": "walk \(id.primaryKey ?? 0) has been deleted since"
      case "Dog": "its dog has been deleted since"
      case "Walker": "its walker has been deleted since"
      default: "something that it changed has been deleted since"
      }
    case .superseded: "other commands keep running in between"
    case .otherModel: "it was run by another version of dogwalk"
    case .unreadable: "its record in the store is damaged"
    }
  }
}
