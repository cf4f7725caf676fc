import Foundation
import TestSupport

/// The checker of stores as a long-lived process, for checking one store after every save.
///
/// Starting Python for each check takes longer than most tests do.
final class StandingStoreChecker {
  private let process = Process()
  private let questions = Pipe()
  private let answers = Pipe()

  /// Starts the process, for stores of the DogWalk model.
  init() throws {
    let script = """
      import sys; sys.path.insert(0, sys.argv[1])
      from check_store import differences
      from coredata import Store, model_from_xml
      model = model_from_xml(sys.argv[2])
      for line in sys.stdin:
          store = Store(line.rstrip("\\n"))
          print("; ".join(differences(store, model)) or "no differences", flush=True)
          store.db.close()
      """
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", script, URL.tools.path,
      URL.dogWalkModel.appending(path: "DogWalk 3.xcdatamodel").path,
    ]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    try? questions.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The checker's verdict on a store: "no differences" when all is well; "" if it has failed.
  func check(_ store: URL) throws -> String {
    try questions.fileHandleForWriting.write(contentsOf: Data((store.path + "\n").utf8))
    var answer = Data()
    while let more = try answers.fileHandleForReading.read(upToCount: 1), more != Data("\n".utf8) {
      answer += more
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
