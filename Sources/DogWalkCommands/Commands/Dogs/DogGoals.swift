import CommandLineKit
import DogWalkModel

extension Option {
  /// `--target`: how many minutes a day.
  static let target = Option(
    "target", value: .required("D"), help: "how long to walk a day: 60m; --target= for no target")
  /// `--gap`: how long it may be in.
  static let gap = Option(
    "gap", value: .required("D"), help: "how long to be in at most: 8h; --gap= for no gap")
}

/// What a dog should get: minutes a day, and no more than a gap between two walks.
struct DogGoals: Hashable, Sendable {
  /// Minutes a day; the inner `nil` takes the target away, the outer one leaves it as it is.
  private let target: Int16??
  /// The longest gap in seconds, likewise.
  private let gap: Double??

  /// Reads `--target` and `--gap`.
  ///
  /// - Throws: `ValidationError` where one cannot be read.
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

  /// Whether nothing is asked for.
  var isEmpty: Bool { target == nil && gap == nil }

  /// Gives a dog what is asked for.
  func set(on dog: Dog) {
    // A row of another program may not have it; each dog that is saved does.
    if dog.nameKey.isEmpty { dog.nameKey = NameKey.of(dog.name) }
    if let target { dog.targetMinutes = target }
    if let gap { dog.maximumGap = gap }
  }

  /// What a dog should get, in words: `1 h a day, at most 8 h between walks`.
  static func reading(of dog: Dog) -> String {
    "\(targetReading(of: dog) ?? "no target"), \(gapReading(of: dog) ?? "no gap")"
  }

  /// The same of a new dog, of whom nobody wonders what it does not get; empty for nothing.
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
