import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// A value that both stores changed, as described to people, and the command to restore one's own.
struct SyncConflictWords {
  private let conflict: SyncReport.Conflict
  private let zone: LocalZone
  /// How the program is called in the commands that hints suggest.
  private let call: String
  /// Whether the dog's former name here now belongs to another dog.
  private let isNameTaken: Bool

  /// Creates the text for a conflict of the sync that a report describes.
  init(_ conflict: SyncReport.Conflict, of report: SyncReport, _ run: CommandRun) {
    self.conflict = conflict
    zone = run.zone
    call = run.call
    guard conflict.walk == nil, conflict.property == .name, case .text(let name)? = conflict.mine
    else {
      isNameTaken = false
      return
    }
    // No other dog here had this name before, so one that has it now was added or renamed.
    let key = NameKey.of(name)
    isNameTaken = (report.here.addedDogs + report.here.changedDogs)
      .contains { NameKey.of($0) == key }
  }

  /// The name of the property; `nil` for tags, which are never in conflict.
  var property: String? {
    switch conflict.property {
    case .name: "name"
    case .target: "target"
    case .gap: "gap"
    case .dog: "dog"
    case .date: "start"
    case .duration: "length"
    case .distance: "distance"
    case .note: "note"
    case .walker: "walker"
    case .peeCount: "pees"
    case .pooCount: "poos"
    case .track: "recorded track"
    case .utcOffset: "offset from UTC"
    case .isOngoing: "state"
    case .tags: nil
    }
  }

  /// The former value here.
  var mine: String { reading(conflict.mine) }

  /// The value that both stores now have.
  var other: String { reading(conflict.other) }

  private func reading(_ value: SyncValue?) -> String {
    switch value {
    case nil: return "none"
    case .text(let text): return "\"\(text.escapingControls.truncated(to: 60))\""
    case .date(let date): return moment(date).iso8601
    case .flag(let isOngoing): return isOngoing ? "going on" : "over"
    case .track: return "another one"
    case .number(let number):
      switch conflict.property {
      case .target: return Duration.seconds(number * 60).reading
      case .gap, .duration: return Duration.seconds(number).reading
      case .distance: return Distance(metres: number).reading
      case .utcOffset:
        return Moment(secondsSince1970: 0, utcOffset: Int(number)).offsetText
      default: return number.shortest
      }
    }
  }

  private func moment(_ date: Date) -> Moment {
    conflict.walk?.clockOffset.map { Moment(date: date, utcOffset: $0) } ?? zone.moment(at: date)
  }

  /// The hint how to restore one's own value; `nil` for a name that another dog has now.
  var remedy: String? {
    guard !isNameTaken else { return nil }
    return command.map { "To restore yours: \($0)" }
      ?? "To restore yours, and undo the rest of this sync here: \(call) undo"
  }

  /// The command to restore one's own value; `nil` if there is none.
  ///
  /// There is none for values that cannot be typed, and for a name that another dog has now.
  var command: String? {
    if let walk = conflict.walk {
      guard let option else { return nil }
      return "\(call) edit \(walk.number) \(option)"
    }
    guard let dog = conflict.dogName, !isNameTaken else { return nil }
    switch (conflict.property, conflict.mine) {
    case (.name, .text(let name)?): return "\(call) dogs rename \([dog, name].shellOperands)"
    case (.target, let value):
      return "\(call) dogs set --target=\(typed(value, inMinutes: true)) \([dog].shellOperands)"
    case (.gap, let value):
      return "\(call) dogs set --gap=\(typed(value, inMinutes: false)) \([dog].shellOperands)"
    default: return nil
    }
  }

  private func typed(_ value: SyncValue?, inMinutes: Bool) -> String {
    guard case .number(let number)? = value else { return "" }
    return inMinutes ? "\(Int16(clamping: Int(number)))m" : Self.span(number)
  }

  /// Returns seconds in the form in which they are typed: `35m`, or `90s` if not whole minutes.
  private static func span(_ seconds: Double) -> String {
    let whole = seconds.rounded().wholeSeconds
    return whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
  }

  /// Returns metres in a form in which they can be typed: in kilometres from a million on, and
  /// never with three decimals, before which a point may divide thousands.
  private static func distance(_ metres: Double) -> String {
    guard metres < 1_000_000 else { return "\((metres / 1000).shortest)km" }
    let text = metres.shortest
    let decimals = text.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    return text + (decimals == 3 ? "0m" : "m")
  }

  private var option: String? {
    switch (conflict.property, conflict.mine) {
    case (.dog, .text(let name)?): return name.shellValue(of: "dog")
    case (.date, .date(let date)?): return "--at \(moment(date).iso8601)"
    case (.utcOffset, .number(let offset)?):
      return conflict.walk?.start.map {
        "--at \(Moment(date: $0, utcOffset: Int(offset)).iso8601)"
      }
    case (.duration, .number(let number)?): return "--duration \(Self.span(number))"
    case (.duration, nil): return "--duration="
    case (.distance, .number(let number)?): return "--distance \(Self.distance(number))"
    case (.distance, nil): return "--distance="
    case (.note, .text(let text)?): return text.shellValue(of: "note")
    case (.note, nil): return "--note="
    case (.walker, .text(let name)?): return name.shellValue(of: "by")
    case (.walker, nil): return "--by="
    case (.peeCount, .number(let number)?): return "--pee=\(number.shortest)"
    case (.peeCount, nil): return "--pee="
    case (.pooCount, .number(let number)?): return "--poo=\(number.shortest)"
    case (.pooCount, nil): return "--poo="
    default: return nil
    }
  }
}

@available(*, unavailable)
extension SyncConflictWords: Sendable {}
