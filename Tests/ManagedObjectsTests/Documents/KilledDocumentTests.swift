import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that end while documents are open.
@Suite(.serialized) struct `Killed documents` {
  private static func place(of process: Int32) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "documents-\(process)")
  }

  @Test func `a document can be opened whenever its process was killed`() async throws {
    let folder = Self.place(of: getpid())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var acknowledged: Set<String> = []
    for _ in 0..<20 {
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
      ) {
        Thread {
          usleep(.random(in: 0..<400_000))
          kill(getpid(), SIGKILL)
        }.start()
        let folder = Self.place(of: getppid())
        try await Self.work(in: folder)
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      acknowledged.formUnion(
        output.split(separator: "\n").filter { $0.hasPrefix("dog ") }.map(String.init))
    }
    let kept = try await Self.dogs(in: folder)
    #expect(kept.isSuperset(of: acknowledged))
    #expect(!acknowledged.isEmpty)
  }

  @MainActor private static func work(in folder: URL) throws {
    for number in 0... {
      let document = ManagedDocument(
        fileURL: folder.appending(path: "Walks \(getpid()) \(number / 3)"),
        managedObjectModel: .dogWalk)
      do { try document.create() } catch ManagedDocumentError.exists { try document.open() }
      let dog = Dog(context: document.managedObjectContext)
      dog.name = "\(getpid()) \(number)"
      dog.nameKey = dog.name
      try document.close()
      let line = Array("\ndog \(dog.name)\n".utf8)
      _ = write(1, line, line.count)
    }
  }

  @MainActor private static func dogs(in folder: URL) throws -> Set<String> {
    var dogs: Set<String> = []
    for url in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    {
      let document = ManagedDocument(fileURL: url, managedObjectModel: .dogWalk)
      try document.open()
      let found = try document.managedObjectContext.fetch(Dog.fetchRequest())
      dogs.formUnion(found.map { "dog \($0.name)" })
      try document.close()
    }
    return dogs
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `documents are saved when the process is asked to terminate`(signal: Int32) async throws {
    let folder = Self.place(of: getpid())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if signal == SIGTERM {
      await #expect(processExitsWith: .signal(SIGTERM)) { try await Self.end(SIGTERM) }
    } else {
      await #expect(processExitsWith: .signal(SIGINT)) { try await Self.end(SIGINT) }
    }
    #expect(try await Self.dogs(in: folder) == ["dog Fido"])
  }

  @MainActor private static func end(_ signal: Int32) async throws {
    let document = ManagedDocument(
      fileURL: place(of: getppid()).appending(path: "Walks"), managedObjectModel: .dogWalk)
    try document.create()
    let dog = Dog(context: document.managedObjectContext)
    (dog.name, dog.nameKey) = ("Fido", "fido")
    ManagedDocument.closeAllAtTermination()
    kill(getpid(), signal)
    try await Task.sleep(for: .seconds(20))
  }

  @Test func `a full disk leaves no partial document, and loses nothing of an open one`()
    async throws
  {
    let folder = Self.place(of: getpid())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    await #expect(processExitsWith: .success) {
      FileSizeLimit.set(8_000)
      try await MainActor.run {
        let document = ManagedDocument(
          fileURL: Self.place(of: getppid()).appending(path: "Walks"),
          managedObjectModel: .dogWalk)
        #expect(throws: PersistentStoreError.self) { try document.create() }
        #expect(document.documentState == .closed)
        let left = try FileManager.default.contentsOfDirectory(
          atPath: document.fileURL.deletingLastPathComponent().path)
        #expect(left == [])
        FileSizeLimit.lift()
        try document.create()
        FileSizeLimit.set(8_000)
        let dog = Dog(context: document.managedObjectContext)
        (dog.name, dog.nameKey) = ("Fido", "fido")
        #expect(throws: PersistentStoreError.self) { try document.save() }
        #expect(document.documentState == .savingError)
        FileSizeLimit.lift()
        try document.close()
      }
    }
    #expect(try await Self.dogs(in: folder) == ["dog Fido"])
  }

  @Test func `a second signal ends a process that hangs`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let signals = TerminationSignals()
      kill(getpid(), SIGTERM)
      for await signal in signals {
        guard signal == .terminate else { break }
        kill(getpid(), SIGTERM)
        sleep(20)
      }
    }
  }
}
