import CommandLineKit
import DogWalkModel

/// The walks in progress that `dogwalk stop` ends.
///
/// These are the walks of the named dogs or the named walker. Without a name they are those of the
/// usual walker (`dogwalk config by`, `$DOGWALK_BY`), and never another person's; without a usual
/// walker, those of the only walker who is out.
struct StopChoice {
  /// The walker that the options name.
  let walker: String?
  private let run: CommandRun
  private let namesDogs: Bool

  /// Reads `--by` and `--all`.
  ///
  /// - Parameter namesDogs: Whether dogs are named, so that their walks end.
  /// - Throws: `ValidationError` if these exclude each other.
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

  /// Returns those of some walks that end.
  ///
  /// - Throws: `ValidationError` if several walkers are out and none is named, and `Complaint` if
  ///   the named one is not out.
  func walks(_ walks: [Walk], now: Moment) throws -> [Walk] {
    if let walker { return try self.walks(walks, of: walker) }
    guard !namesDogs, !run.values.contains(.all) else { return walks }
    if let usual = try run.usualWalker() { return try self.walks(walks, of: usual) }
    guard people(walks).count > 1 else { return walks }
    throw ValidationError(
      "\(sentenceList(walks.map(Self.reading))) are out",
      hint: "Say whose walk ends: --by WALKER, the dogs, or --all.")
  }

  /// Returns the walks of a walker, or those without a walker if there are none.
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

  /// Returns the keys of the walkers who are out; an empty one stands for walks without a walker.
  private func people(_ walks: [Walk]) -> Set<String> {
    Set(walks.map { $0.walkerName.map(NameKey.of) ?? "" })
  }

  private static func name(of walk: Walk) -> String {
    walk.walkerName?.escapingControls ?? "nobody named"
  }

  /// Returns `Fido with Ana`.
  private static func reading(_ walk: Walk) -> String {
    "\(walk.shownDogName)\(walk.walkerName.map { " with \($0.escapingControls)" } ?? "")"
  }
}

@available(*, unavailable)
extension StopChoice: Sendable {}
