#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import ManagedObjects

  /// A server that goes away during a conversation.
  @Suite struct LostConnectionTests {
    @Test(.timeLimit(.minutes(5)))
    func `a server that reports an error and closes is lost, even where sending fails`()
      throws
    {
      let server = try ClosingServer()
      let connection = try PostgreSQLConnection(PostgreSQLAddress(server.url), waiting: 1)
      server.goAway()
      connection.queue("SELECT 1")
      let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 2") }
      #expect(error?.isLost == true)
      #expect(!connection.isInTransaction)
      // There is no server to connect to, which the next attempt finds out for itself.
      #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 3") }
    }
  }

  /// As much of a server as is needed to be connected to; then it warns and closes.
  ///
  /// That is what a server's processes do where one of them has crashed.
  private final class ClosingServer: Sendable {
    private let folder: StoreFolder
    private let listening: Int32
    private let accepted = Mutex<Int32>(-1)

    init() throws {
      let name = "mo-\(UUID().uuidString.prefix(8))"
      folder = try StoreFolder(at: URL(filePath: "/tmp").appending(path: name))
      listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = folder.url.path + "/.s.PGSQL.5432"
      withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        for (index, byte) in path.utf8.enumerated() { bytes[index] = byte }
      }
      let bound = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0 && listen(listening, 1) == 0)
      let thread = Thread { [self] in
        let connection = accept(listening, nil, nil)
        var asked = [UInt8](repeating: 0, count: 1_000)
        _ = read(connection, &asked, asked.count)
        // Authentication is complete; ready, outside of a transaction.
        send(
          Array("R".utf8) + [0, 0, 0, 8, 0, 0, 0, 0] + Array("Z".utf8) + [0, 0, 0, 5, 0x49],
          to: connection)
        accepted.withLock { $0 = connection }
      }
      thread.start()
    }

    var url: URL { URL(string: "postgres:///walks?host=\(folder.url.path)&user=nobody")! }

    /// Reports that another process has crashed, and closes; accepts no more connections.
    func goAway() {
      while accepted.withLock({ $0 }) < 0 { usleep(1_000) }
      let fields = Array("SWARNING\0C57P02\0Manother process has crashed\0\0".utf8)
      let connection = accepted.withLock { $0 }
      send(Array("N".utf8) + [0, 0, 0, UInt8(fields.count + 4)] + fields, to: connection)
      close(connection)
      close(listening)
    }

    private func send(_ bytes: [UInt8], to connection: Int32) {
      precondition(write(connection, bytes, bytes.count) == bytes.count)
    }
  }
#endif
