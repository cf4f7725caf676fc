import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct `A set of files` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(Data("x".utf8), to: "store/walks.sqlite").path
  }

  private func file(_ name: String) -> String { folder.url.appending(path: name).path }

  @Test func `contains its files under any name, and no other files`() throws {
    let files = FileSet([path])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: file("link"), withDestinationPath: path)
    try manager.linkItem(atPath: path, toPath: file("hard"))
    try manager.createSymbolicLink(
      atPath: file("folder"), withDestinationPath: file("store"))
    for name in [
      "link", "hard", "store/walks.sqlite", "store/../store/walks.sqlite", "folder/walks.sqlite",
    ] {
      #expect(files.contains(file(name)), "\(name)")
    }
    try folder.write(Data("x".utf8), to: "other/walks.sqlite")
    for name in ["other/walks.sqlite", "store/walks", "nowhere/walks.sqlite", "store"] {
      #expect(!files.contains(file(name)), "\(name)")
    }
  }

  @Test func `identifies a missing file by its folder`() throws {
    let files = FileSet([path + "-wal"])
    try FileManager.default.createSymbolicLink(
      atPath: file("folder"), withDestinationPath: file("store"))
    #expect(files.contains(file("store/walks.sqlite-wal")))
    #expect(files.contains(file("folder/walks.sqlite-wal")))
    #expect(!files.contains(file("walks.sqlite-wal")))
    #expect(!files.contains(path))
  }

  @Test func `identifies an open file`() throws {
    let opened = open(path, O_RDONLY)
    defer { close(opened) }
    #expect(FileSet([path]).contains(descriptor: opened))
    #expect(!FileSet([path + "-wal"]).contains(descriptor: opened))
    #expect(!FileSet([path]).contains(descriptor: -1))
  }
}
