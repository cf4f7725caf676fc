import DataFormats
import Foundation
import Testing

@testable import ManagedObjects

/// Files that are copied, changed and put back: what killed processes leave behind.
@Suite struct CheckedOutStoreTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.save("Fido", minutes: [5])
  }

  /// Leaves a draft as a killed process does, or one of another machine.
  private func leaveDraft(_ mark: String = AbandonedDrafts.mark) throws -> URL {
    let draft = URL(filePath: folder.store.path + mark + ".1x2y3z")
    try Data("half a sto".utf8).write(to: draft)
    return draft
  }

  private func replaceOriginal() throws {
    let other = try CheckedOutStore(folder.store)
    try other.replaceOriginal()
    other.remove()
  }

  @Test func `a leftover draft is removed with the next one`() throws {
    _ = try leaveDraft()
    try replaceOriginal()
    #expect(try folder.names() == ["DogWalk.sqlite"])
    #expect(try folder.contents() == ["Fido": [5]])
  }

  @Test func `a draft being written is kept`() throws {
    let draft = try leaveDraft()
    let descriptor = open(draft.path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    try replaceOriginal()
    #expect(try folder.names() == ["DogWalk.sqlite", draft.lastPathComponent])
  }

  @Test(arguments: [".draft-another", ".draft", ""])
  func `files of another machine or program are kept`(_ mark: String) throws {
    let draft = try leaveDraft(mark)
    try replaceOriginal()
    #expect(try folder.names() == ["DogWalk.sqlite", draft.lastPathComponent])
  }

  @Test func `drafts of a file that does not exist yet are removed too`() throws {
    let draft = try leaveDraft()
    try FileManager.default.removeItem(at: folder.store)
    let other = try CheckedOutStore(folder.store)
    try Data("a store".utf8).write(to: other.copy)
    try other.replaceOriginal()
    other.remove()
    #expect(!FileManager.default.fileExists(atPath: draft.path))
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `processes that write drafts at once keep each other's`() async throws {
    let path = folder.store.path
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for step in 0..<20 {
            let target = "\(path).\(number).\(step)"
            let file = try NewFile(
              at: path, for: URL(filePath: target), isMarked: true)
            try file.write(Array("draft".utf8))
            #expect(FileManager.default.fileExists(atPath: file.draft))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }
}
