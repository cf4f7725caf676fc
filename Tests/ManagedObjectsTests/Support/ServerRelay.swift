#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import ManagedObjects

  /// A socket in front of a server's, which can cut a conversation after any number of bytes.
  final class ServerRelay: Sendable {
    private struct State {
      /// The bytes of the server that were passed on since the last `reset`.
      var passed = 0
      /// The number of them after which the connection is closed, once; nil for none.
      var limit: Int?
    }

    private let folder: StoreFolder
    private let server: String
    private let listening: Int32
    private let state = Mutex(State())

    /// - Parameter url: a store on a server of this machine.
    init(to url: URL) throws {
      let host = try #require(url.absoluteString.firstMatch(of: /host=([^&]*)/)).output.1
      server = String(host).removingPercentEncoding! + "/.s.PGSQL.5432"
      let name = "mo-\(UUID().uuidString.prefix(8))"
      folder = try StoreFolder(at: URL(filePath: "/tmp").appending(path: name))
      listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let bound = Self.withAddress(folder.url.path + "/.s.PGSQL.5432") { bind(listening, $0, $1) }
      try #require(bound == 0 && listen(listening, 8) == 0)
      Thread { [self] in
        while case let client = accept(listening, nil, nil), client >= 0 {
          Thread { [self] in serve(client) }.start()
        }
      }.start()
    }

    /// The same store through this relay.
    func url(of url: URL) -> URL {
      URL(
        string: url.absoluteString.replacing(/host=[^&]*/, with: "host=\(folder.url.path)"))!
    }

    /// The number of bytes that the server has sent since the last `reset`.
    var passed: Int { state.withLock { $0.passed } }

    /// Counts from zero, and closes the next connection that has received a number of bytes.
    func reset(cuttingAfter limit: Int? = nil) {
      state.withLock { $0 = State(limit: limit) }
    }

    func end() {
      shutdown(listening, Int32(SHUT_RDWR))
      close(listening)
    }

    private static func withAddress(
      _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
      }
      return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }

    private func serve(_ client: Int32) {
      let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer {
        close(client)
        close(upstream)
      }
      guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else { return }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while poll(&ends, 2, -1) > 0 {
        for (index, other) in [(0, upstream), (1, client)] where ends[index].revents != 0 {
          let count = read(ends[index].fd, &bytes, bytes.count)
          guard count > 0 else { return }
          let kept = index == 0 ? count : take(count)
          guard kept == 0 || send(other, bytes, kept, Int32(MSG_NOSIGNAL)) == kept,
            kept == count
          else { return }
        }
      }
    }

    /// Returns how many of the server's bytes are to be passed on.
    private func take(_ count: Int) -> Int {
      state.withLock { state in
        let kept = min(count, state.limit.map { $0 - state.passed } ?? count)
        state.passed += kept
        if kept < count { state.limit = nil }
        return kept
      }
    }
  }
#endif
