import Foundation

/// What a client asks, as JSON.
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

/// What the server answers, as JSON: values and nothing else, since no object leaves its context.
enum Response: Codable, Sendable {
  case added(WalkValue)
  case walks([WalkValue])
  case dogs([DogValue])
  case deleted
  case refused(reason: String)
}

/// A walk, as clients see it; its ID is the object's, as a URI.
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
