import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

@Suite struct `Opening a file that several users share` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens an accessible file, while the first attempts are refused after some seconds each.
  private func open(refusals: Int, after seconds: Double, busyTimeout: Double) throws -> Int {
    let url = try folder.write(Data(), to: "walks.sqlite")
    var attempts = 0
    return try SharedFile(path: url.path, busyTimeout: busyTimeout).opening {
      attempts += 1
      guard attempts <= refusals else { return attempts }
      Thread.sleep(forTimeInterval: seconds)
      throw PersistentStoreError.noPermission(url)
    }
  }

  @Test func `is tried again after a refusal that came late`() throws {
    #expect(try open(refusals: 1, after: 0.7, busyTimeout: 0) == 2)
  }

  @Test func `is tried again as long as locks are waited for`() throws {
    #expect(try open(refusals: 8, after: 0.1, busyTimeout: 60) == 9)
  }

  @Test func `is refused in the end`() {
    #expect(throws: PersistentStoreError.self) {
      try open(refusals: .max, after: 0.01, busyTimeout: 0)
    }
  }
}
