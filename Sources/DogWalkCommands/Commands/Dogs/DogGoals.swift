import CommandLineKit
import DogWalkModel

extension Option {
  /// `--target`: sets the minutes a day.
  static let target = Option(
    "target", value: .required("D"), help: "how long to walk a day: 60m; --target= for no target")
  /// `--gap`: sets the longest time without a walk.
  static let gap = Option(
    "gap", value: .required("D"), help: "how long to be in at most: 8h; --gap= for no gap")
}

/// The goals for a dog: minutes a day, and a maximum gap between two walks.
struct DogGoals: Hashable, Sendable {
  /// The minutes a day; the inner `nil` removes the target, the outer one leaves it unchanged.
  private let target: Int16??
  /// The maximum gap in seconds, likewise.
  private let gap: Double??

  /// Reads `--target` and `--gap`.
  ///
  /// - Throws: `ValidationError` if one cannot be read.
  init(_ values: ArgumentValues) throws(ValidationError) {
    target = try Self.seconds(.target, values, most: 24, example: "60m").map {
      seconds throws(ValidationError) in
      guard let seconds else { return nil }
      guard seconds % 60 == 0 else {
        throw ValidationError(
          "--target counts whole minutes", hint: "Write --target 60m.")
      }
      return Int16(seconds / 60)
    }
    gap = try Self.seconds(.gap, values, most: 31 * 24, example: "8h").map { $0.map { Double($0) } }
  }

  private static func seconds(
    _ option: Option, _ values: ArgumentValues, most hours: Int, example: String
  ) throws(ValidationError) -> Int?? {
    guard let typed = values[option] else { return nil }
    guard !typed.isEmpty else { return .some(nil) }
    if option == .gap { try Duration.refuseBareNumber(typed, of: option) }
    let seconds = Int(try Duration(typed: typed).components.seconds)
    guard (1...hours * 3600).contains(seconds) else {
      throw ValidationError(
        "--\(option.name) cannot be \(ValidationError.quoted(typed))",
        hint: "Write --\(option.name) \(example): up to \(hours)h.")
    }
    return seconds
  }

  /// Whether neither is given.
  var isEmpty: Bool { target == nil && gap == nil }

  /// Sets a dog's goals.
  func set(on dog: Dog) {
    // Another program may have left this empty; every dog that is saved has a key.
    if dog.nameKey.isEmpty { dog.nameKey = NameKey.of(dog.name) }
    if let target { dog.targetMinutes = target }
    if let gap { dog.maximumGap = gap }
  }

  /// Returns the goals as shown to people: `1 h a day, at most 8 h between walks`.
  static func reading(of dog: Dog) -> String {
    "\(targetReading(of: dog) ?? "no target"), \(gapReading(of: dog) ?? "no gap")"
  }

  /// Returns the same for a new dog, without goals that are not set; empty if none is.
  static func shortReading(of dog: Dog) -> String {
    [targetReading(of: dog), gapReading(of: dog)].compactMap { $0 }.joined(separator: ", ")
  }

  private static func targetReading(of dog: Dog) -> String? {
    dog.target.map { "\(Duration.seconds($0 * 60).reading) a day" }
  }

  private static func gapReading(of dog: Dog) -> String? {
    dog.gap.map { "at most \(Duration.seconds($0).reading) between walks" }
  }
}
