import Foundation
import ManagedObjects

/// A kennel's server, with four clients that write and read concurrently.
@main
struct Server {
  static func main() async throws {
    let folder = URL.temporaryDirectory.appending(path: "Server-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try PersistentContainer(
      name: "Kennel", model: .kennel, storeURL: folder.appending(path: "Kennel.sqlite"))
    if CommandLine.arguments.dropFirst() == ["load"] {
      return try await Load(container: container).run()
    }

    // Each connection has its own actor, and so its own context.
    let clients = (0..<4).map { _ in Client(kennel: Kennel(container)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, client) in clients.enumerated() {
        group.addTask { try await addWalks(25, from: client, number: number) }
      }
      try await group.waitForAll()
    }

    guard let client = clients.first else { return }
    if case .dogs(let dogs) = try await client.send(.dogs) {
      for dog in dogs { print("\(dog.name): \(dog.walks) walks, \(dog.minutes) minutes") }
    }
    if case .walks(let walks) = try await client.send(.walks(dog: "Rex")), let first = walks.first {
      print("Deleting Rex's first walk: \(try await client.send(.delete(walk: first.id)).name)")
      print("Deleting it once more: \(try await client.send(.delete(walk: first.id)).name)")
    }
  }

  /// Adds walks alternately to a dog shared by all clients and to another one.
  static func addWalks(_ count: Int, from client: Client, number: Int) async throws {
    for index in 0..<count {
      let date = Date(timeIntervalSinceReferenceDate: Double(number * 100 + index) * 3600)
      let walk = Request.NewWalk(
        dog: index.isMultiple(of: 5) ? "Rex" : "Fido", date: date, minutes: 30)
      let response = try await client.send(.add(walk))
      if case .refused(let reason) = response { print("Refused: \(reason)") }
    }
  }
}

extension Response {
  /// The word for it in this program's output.
  fileprivate var name: String {
    switch self {
    case .added: "added"
    case .walks, .dogs: "found"
    case .deleted: "deleted"
    case .refused(let reason): "refused. \(reason)"
    }
  }
}
