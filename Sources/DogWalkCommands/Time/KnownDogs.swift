import CommandLineKit
import DogWalkModel

/// The dogs there are, as far as reading a command needs them; asked only when it does.
///
///     let dogs = KnownDogs(contains: { try log.dog(named: $0) != nil }, names: { try log.dogs().map(\.name) })
struct KnownDogs {
  /// Whether a dog that is not there is made.
  let makesNew: Bool
  /// Whether there is a dog of that name, by the rules under which names are one.
  let contains: (_ name: String) throws -> Bool
  /// All names.
  let names: () throws -> [String]

  /// Dogs that are looked up when they are asked for.
  init(
    makesNew: Bool = true, contains: @escaping (String) throws -> Bool,
    names: @escaping () throws -> [String]
  ) {
    self.makesNew = makesNew
    self.contains = contains
    self.names = names
  }

  /// Refuses a name that was most likely meant for another: it makes no new dog.
  ///
  /// Where none is made, only slips of time words are refused here.
  ///
  /// That is a name of five letters or more, one slip away from a dog there is or from a time word;
  /// `yestreday` is one, neighbours swapped counting as one slip. A dog there is passes.
  ///
  /// - Parameters:
  ///   - name: The name as typed.
  ///   - isNew: Whether `--new` insists.
  /// - Throws: `ValidationError` with the suggestion, and what looking up the dogs throws.
  func refuseSlip(in name: String, isNew: Bool) throws {
    guard !isNew, name.count >= 5, try !contains(name) else { return }
    let names = try makesNew ? names() : []
    let meant = names.first { isOneSlip(from: name, to: $0, by: NameKey.of) }
    let timeWord = (WrittenWhen.timeWords + WordSlip.longWords).first {
      isOneSlip(from: name, to: $0)
    }
    guard let meant = meant ?? timeWord else { return }
    throw ValidationError(
      "there is no dog \(ValidationError.quoted(name))",
      hint: "Did you mean \(meant.escapingControls)?"
        + (makesNew ? " A new dog of that name needs --new." : ""))
  }
}

@available(*, unavailable)
extension KnownDogs: Sendable {}
