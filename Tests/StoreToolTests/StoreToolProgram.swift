import Foundation
import TestSupport

/// The program as built with the tests.
enum StoreToolProgram {
  /// What storetool answers.
  static func run(_ words: String...) throws -> Answer { try run(words) }

  static func run(_ words: [String]) throws -> Answer {
    try Answer(of: URL.builtFolder.appending(path: "storetool").path, words)
  }
}
