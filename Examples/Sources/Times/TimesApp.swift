import Foundation
import ManagedObjects

final class Runner: ManagedObject {}
final class Time: ManagedObject {}

/// A runner's times in a manual order, saved only when the app ends.
@MainActor
final class TimesApp {
  private let container: PersistentContainer
  private let runner: Runner

  init(storeURL: URL) throws {
    container = try PersistentContainer(name: "Times", model: .times, storeURL: storeURL)
    let context = container.viewContext
    if let runner = try context.fetch(Runner.fetchRequest()).first {
      self.runner = runner
    } else {
      runner = Runner(context: context)
      runner.name = "Atalanta"
    }
  }

  func add(seconds: Double) {
    let time = Time(context: container.viewContext)
    time.seconds = seconds
    runner.addToTimes(time)
  }

  /// Moves a row of the list, like a table in editing mode.
  func move(from source: Int, to destination: Int) {
    runner.times.move(fromOffset: source, toOffset: destination)
  }

  /// Saves when the system ends the app.
  func terminate() throws {
    let context = container.viewContext
    guard context.hasChanges else { return print("Nothing to save.") }
    print("Saving \(context.insertedObjects.count) new objects.")
    try context.save()
  }

  func list() {
    print("\(runner.name): " + runner.times.map { "\($0.seconds) s" }.joined(separator: ", "))
  }
}
