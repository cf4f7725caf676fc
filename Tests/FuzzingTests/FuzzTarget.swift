import Foundation

/// A reader of what comes from files, terminals and stores, and what must hold of it for any bytes.
///
/// `make fuzz` gives it bytes that reach ever more of the code; what they found is in `Corpus`, a
/// folder for each target, which the tests play again.
struct FuzzTarget: Sendable {
  /// The name, which the folder of the corpus has too.
  let name: String
  /// Reads bytes, and says what is wrong with what came of it; a crash or a hang needs no words.
  let check: @Sendable ([UInt8]) throws -> String?

  /// Every target.
  static let all = [
    predicates, fetches, models, propertyLists, archives, modelCaches, json, csv, gpx, tracks,
    arguments, undoLogs, mappings,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// What is wrong with what came of some bytes; nil where nothing is.
  func complaint(about bytes: [UInt8]) -> String? {
    do {
      return try check(bytes)
    } catch {
      return "\(name) threw what it does not declare: \(error)"
    }
  }

}
