import CommandLineKit
import DogWalkModel

/// Which of the walks that are going on `dogwalk stop` ends.
///
/// Those of whom it is told. Where nobody is, those of the one who walks then (`dogwalk config by`,
/// `$DOGWALK_BY`), and never another person's; where no such name is set, those of the only one who
/// is out.
struct StopChoice {
  /// Who walks, where the options say so.
  let walker: String?
  private let run: CommandRun
  private let namesDogs: Bool

  /// Reads `--by` and `--all`.
  ///
  /// - Parameter namesDogs: Whether dogs are named, whose walks end then.
  /// - Throws: `ValidationError` where they do not go together.
  init(_ run: CommandRun, _ words: WalkWords, names namesDogs: Bool) throws {
    self.run = run
    self.namesDogs = namesDogs
    walker = try run.walker(words)
    guard run.values.contains(.all) else { return }
    if namesDogs || walker != nil {
      throw ValidationError(
        "--all ends every walk that is going on", hint: "Leave it out, or the names.")
    }
  }

  /// Those of some walks that end.
  ///
  /// - Throws: `ValidationError` where several people are out and none is named, and `Complaint`
  ///   where the one who is named is not out.
  func walks(_ walks: [Walk], now: Moment) throws -> [Walk] {
    if let walker { return try self.walks(walks, of: walker) }
    guard !namesDogs, !run.values.contains(.all) else { return walks }
    if let usual = try run.usualWalker() { return try self.walks(walks, of: usual) }
    guard people(walks).count > 1 else { return walks }
    throw ValidationError(
      "\(sentenceList(walks.map(Self.reading))) are out",
      hint: "Say whose walk ends: --by WALKER, the dogs, or --all.")
  }

  /// The walks of one walker; of nobody where that one has none.
  private func walks(_ walks: [Walk], of walker: String) throws -> [Walk] {
    let key = NameKey.of(walker)
    let own = walks.filter { $0.walkerName.map(NameKey.of) == key }
    let nobodys = walks.filter { $0.walkerName == nil }
    if namesDogs, let other = walks.first(where: { !own.contains($0) && !nobodys.contains($0) }) {
      throw Complaint(
        .no,
        "\(other.shownDogName) is out with \(Self.name(of: other)), not with "
          + walker.escapingControls,
        hint: "Leave --by out, or change it first: \(run.call) edit \(other.number) "
          + walker.shellValue(of: "by"))
    }
    if namesDogs { return walks }
    let found = own.isEmpty ? nobodys : own
    guard !found.isEmpty else {
      throw Complaint(
        .no,
        "\(walker.escapingControls) is not out: \(sentenceList(walks.map(Self.reading))) "
          + (walks.count == 1 ? "is" : "are"),
        hint: "Say whose walk ends: --by WALKER, the dogs, or --all.")
    }
    return found
  }

  /// The keys of those who are out; nobody named counts as one.
  private func people(_ walks: [Walk]) -> Set<String> {
    Set(walks.map { $0.walkerName.map(NameKey.of) ?? "" })
  }

  private static func name(of walk: Walk) -> String {
    walk.walkerName?.escapingControls ?? "nobody named"
  }

  /// `Fido with Ana`.
  private static func reading(_ walk: Walk) -> String {
    "\(walk.shownDogName)\(walk.walkerName.map { " with \($0.escapingControls)" } ?? "")"
  }
}

@available(*, unavailable)
extension StopChoice: Sendable {}
