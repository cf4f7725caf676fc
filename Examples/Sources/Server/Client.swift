import Foundation

/// A client of the server: it speaks JSON, as one at the other end of a wire would.
struct Client: Sendable {
  let kennel: Kennel

  func send(_ request: Request) async throws -> Response {
    // What a server does with the bytes that a connection brings.
    let arrived = try JSONDecoder().decode(Request.self, from: JSONEncoder().encode(request))
    let answered = try JSONEncoder().encode(await kennel.answer(arrived))
    return try JSONDecoder().decode(Response.self, from: answered)
  }
}
