import Foundation

/// A client's request, in JSON.
enum Request: Codable, Sendable {
  case add(NewWalk)
  case walks(dog: String)
  case dogs
  case delete(walk: URL)

  struct NewWalk: Codable, Sendable {
    let dog: String
    let date: Date
    let minutes: Int32
  }
}

/// The server's response, in JSON: only values, since objects never leave their context.
enum Response: Codable, Sendable {
  case added(WalkValue)
  case walks([WalkValue])
  case dogs([DogValue])
  case deleted
  case refused(reason: String)
}

/// A walk as clients see it; its ID is the object's URI.
struct WalkValue: Codable, Sendable {
  let id: URL
  let dog: String
  let date: Date
  let minutes: Int32
}

/// A dog, as clients see it.
struct DogValue: Codable, Sendable {
  let name: String
  let walks: Int
  let minutes: Int
}
