import Foundation

/// A client of the server, which uses JSON like a remote one.
struct Client: Sendable {
  let kennel: Kennel

  func send(_ request: Request) async throws -> Response {
    // The same work that a server does with the bytes of a connection.
    let arrived = try JSONDecoder().decode(Request.self, from: JSONEncoder().encode(request))
    let answered = try JSONEncoder().encode(await kennel.answer(arrived))
    return try JSONDecoder().decode(Response.self, from: answered)
  }
}
