import DogWalkModel
import Foundation
import ManagedObjects
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and folders that may not be written to, or not even read.
@Suite struct PermissionTests {
  @Test func `no store is created in a read-only folder`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try OrdinaryUser.with(folder.url, mode: 0o555) {
        let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
        guard case .noPermission(folder.store) = error else { throw try #require(error) }
      }
      #expect(try folder.bytes().isEmpty)
    }
  }

  @Test func `an unreadable store reports noPermission`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try folder.save("Fido", minutes: [1])
      let before = try folder.bytes()
      try OrdinaryUser.with(folder.store, mode: 0o000) {
        let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
        guard case .noPermission(folder.store) = error else { throw try #require(error) }
      }
      #expect(try folder.bytes() == before)
    }
  }

  @Test func `a store in a read-only folder is not changed`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try folder.save("Fido", minutes: [1])
      let before = try folder.bytes()
      try OrdinaryUser.with(folder.url, mode: 0o555) {
        try OrdinaryUser.refusesToSave(into: folder)
      }
      #expect(try folder.bytes() == before)
    }
  }

  @Test func `a read-only store is not changed`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder()
      try folder.save("Fido", minutes: [1])
      let before = try folder.bytes()
      for suffix in ["-wal", "-shm"] { chmod(folder.store.path + suffix, 0o444) }
      try OrdinaryUser.with(folder.store, mode: 0o444) {
        try OrdinaryUser.refusesToSave(into: folder)
      }
      #expect(try folder.bytes() == before)
    }
  }
}

/// An ordinary user in place of root, who ignores permissions; for child processes only.
private enum OrdinaryUser {
  private static let nobody: uid_t = 65_534

  /// Runs a body as an ordinary user, with a file or folder of a mode.
  static func with(_ url: URL, mode: mode_t, _ body: () throws -> Void) throws {
    let isRoot = geteuid() == 0
    chmod(url.path, mode)
    if isRoot { try #require(seteuid(nobody) == 0) }
    defer {
      if isRoot { _ = seteuid(0) }
      chmod(url.path, 0o700)
    }
    try body()
  }

  /// Expects that a walk cannot be saved for lack of permission.
  static func refusesToSave(into folder: StoreFolder) throws {
    let error = #expect(throws: PersistentStoreError.self) {
      try folder.save("Fido", minutes: [2])
    }
    guard case .noPermission(folder.store) = error else { throw try #require(error) }
  }
}
