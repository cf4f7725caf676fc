import CommandLineKit
import DogWalkModel
import ManagedObjects

extension Command {
  /// `dogwalk undo`: takes the last command back.
  static let undo = Command(
    CommandSpecification(
      abstract: "Take back the last command that changed something, whole.",
      examples: [
        .init("dogwalk undo", "as if the last command had not been given"),
        .init("dogwalk history", "what could be taken back"),
        .init("dogwalk redo", "after all"),
      ],
      options: [.json],
      surplusHint: "It takes back the last command; call it again for the one before.",
      discussion: [
        "Walks come back with their numbers. At least the last 1,000 commands can be taken back, "
          + "whoever gave them. What was changed since by a program that keeps no history is never "
          + "overwritten."
      ])
  ) { run in try RevertReport.revert(.undo, run) }

  /// `dogwalk redo`: does a command again that was taken back.
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
  /// The complaint that a command was left as it is.
  init(_ error: StoreUndoError, _ command: String, _ direction: WalkLog.Direction) {
    let verb = direction == .undo ? "undo" : "redo"
    let what = "cannot \(verb) \(command)"
    switch error {
    case .changedSince(let id):
      let which =
        switch (id?.entity.name, id?.primaryKey) {
        case ("Walk", let number?): "walk \(number) has"
        case ("Dog", _): "a dog of it, or one of its walks, has"
        default: "something of it has"
        }
      self.init(.no, "\(what): \(which) been changed since", hint: "Nothing was changed now.")
    case .superseded:
      self.init(
        .busy, "\(what): other commands keep coming between",
        hint: "Nothing was changed here. Look at dogwalk history.")
    case .otherModel:
      self.init(
        .no, "\(what): it was given to another version of dogwalk",
        hint: "Nothing was changed now.")
    }
  }
}
