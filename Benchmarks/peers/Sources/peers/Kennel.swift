import Foundation
import ManagedObjects

final class Dog: ManagedObject {}
final class Walk: ManagedObject {}

/// A store of the kennel in memory or in the temporary folder, which is removed with this object.
final class Kennel {
  static let dogCount = 100
  static let walkCount = 100_000

  let url: URL
  let container: PersistentContainer
  private let folder: URL

  /// - Parameter isFull: whether it has 100 dogs with 1,000 walks each, or only the dogs.
  init(isFull: Bool) throws {
    let memory = URL(filePath: "/dev/shm")
    let place =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    folder = place.appending(path: "peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "Kennel.sqlite")
    container = try PersistentContainer(name: "Kennel", model: .kennel, storeURL: url)
    let context = container.newBackgroundContext()
    for number in 0..<Self.dogCount {
      let dog = Dog(context: context)
      dog.name = "Dog \(number)"
    }
    try context.save()
    if isFull { try Self.addWalks(in: context) }
  }

  /// Adds all walks in one save.
  static func addWalks(in context: ManagedObjectContext) throws {
    let dogs = try context.fetch(Dog.fetchRequest())
    for number in 0..<walkCount {
      let walk = Walk(context: context)
      walk.date = Date(timeIntervalSinceReferenceDate: Double(number) * 60)
      walk.minutes = Int32(number % 90)
      walk.note = note
      walk.dog = dogs[number % dogs.count]
    }
    try context.save()
  }

  static let note = "Through the park and back"

  deinit {
    // A folder that cannot be removed does no harm.
    try? FileManager.default.removeItem(at: folder)
  }
}
