import Foundation

/// A reader of bytes from files, terminals and stores, and what must hold for any input.
///
/// `make fuzz` feeds it bytes that reach ever more of the code; the finds are in `Corpus`, a folder
/// for each target, which the tests replay.
struct FuzzTarget: Sendable {
  /// The name, which is also that of the corpus's folder.
  let name: String
  /// Reads bytes, and returns what is wrong with the result; a crash or a hang needs no words.
  let check: @Sendable ([UInt8]) throws -> String?

  /// Every target.
  static let all = [
    predicates, fetches, models, propertyLists, archives, modelCaches, json, csv, gpx, tracks,
    arguments, undoLogs, mappings,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// What is wrong with the result for some bytes; nil if nothing is.
  func complaint(about bytes: [UInt8]) -> String? {
    do {
      return try check(bytes)
    } catch {
      return "\(name) threw what it does not declare: \(error)"
    }
  }

}
