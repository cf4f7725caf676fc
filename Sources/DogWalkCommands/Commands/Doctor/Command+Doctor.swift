import CommandLineKit
import DogWalkModel
import ManagedObjects

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Option {
  /// `--backup`: copy the store.
  fileprivate static let backup = Option(
    "backup", value: .required("PATH"), help: "copy the store into this new file, safely",
    completion: .files)
}

extension Command {
  /// `dogwalk doctor`: says what the store is, and whether it is whole.
  static let doctor = Command(
    CommandSpecification(
      abstract: "Show what the store is, where it is and whether it is whole; copy it safely.",
      examples: [
        .init("dogwalk doctor", "look the store through"),
        .init("dogwalk doctor --backup walks-2026-11.sqlite", "copy it, while others may write"),
      ],
      options: [.backup, .json],
      discussion: [
        "It ends with 65 where the store is damaged. A copy made with --backup is a store of its own, "
          + "in one file; a file that is there already is never overwritten."
      ])
  ) { run in
    let checkup = try Checkup(run)
    if let path = run.values[.backup] { return try checkup.copy(to: path) }
    try run.values.contains(.json) ? checkup.writeJSON() : checkup.writeLines()
    guard checkup.faults.isEmpty else { throw ExitCode.badData }
  }
}

/// What there is to know about a store.
private struct Checkup {
  let run: CommandRun
  let log: WalkLog
  let path: String
  let faults: [String]

  init(_ run: CommandRun) throws {
    self.run = run
    path = try run.storeURL().path
    log = try run.log()
    faults = log.hasStore ? try log.faults() : []
  }

  // MARK: Copying

  func copy(to path: String) throws {
    guard log.hasStore else {
      throw Complaint(
        .noInput, "there is no store yet to copy at \(self.path.escapingControls)",
        hint: "The first walk makes one.")
    }
    guard !path.isEmpty else {
      throw ValidationError("--backup names no file", hint: "Write --backup PATH.")
    }
    do {
      try log.copy(to: URL(filePath: path))
    } catch PersistentStoreError.failed(_, let error) where error.systemErrno == EEXIST {
      throw Complaint(
        .cannotCreate, "cannot copy the store to \(path.escapingControls): there is a file already",
        hint: "Name a new one.")
    } catch PersistentStoreError.failed(_, let error) where error.systemErrno != 0 {
      throw Complaint(writing: path, errno: error.systemErrno)
    } catch PersistentStoreError.noPermission(_) {
      throw Complaint(writing: path, errno: EACCES)
    }
    try run.say("Copied the store to \(path.escapingControls).")
  }

  // MARK: For people

  func writeLines() throws {
    guard log.hasStore else {
      return try run.output.writeLine(
        "There is no store yet. The first walk makes one: \(path.escapingControls)")
    }
    let counts = try log.counts()
    let commands = try log.commands().count { !$0.isUndone }
    // A path is copied from here: it stays in one piece.
    try write("Store", [path.escapingControls])
    try write("Size", Self.size(of: path) + Self.log(of: path))
    try write("Kind", "Core Data's SQLite store, model DogWalk 2")
    try write("Holds", "\(Self.count(counts.dogs, "dog")), \(Self.count(counts.walks, "walk"))")
    try write("Undo", "\(Self.count(commands, "command")) can be undone")
    try write("Versions", "dogwalk \(CommandLineTool.version), SQLite \(WalkLog.sqliteVersion)")
    try write("Integrity", faults.isEmpty ? "whole" : "DAMAGED")
    for fault in faults { try run.note(fault.escapingControls) }
    if !faults.isEmpty {
      try run.note("Save what can be read: dogwalk export -o walks.json, then import it elsewhere.")
    }
  }

  private static let labelWidth = 11

  /// Writes a fact behind its label, in several lines where the terminal is narrow.
  private func write(_ label: String, _ fact: String) throws {
    let isNarrow = run.terminal.isTerminal && run.terminal.columns < 80
    try write(
      label, isNarrow ? fact.wrapped(to: max(20, run.terminal.columns - Self.labelWidth)) : [fact])
  }

  private func write(_ label: String, _ lines: [String]) throws {
    for (number, line) in lines.enumerated() {
      try run.output.writeLine((number == 0 ? label : "").padded(to: Self.labelWidth) + line)
    }
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func log(of path: String) -> String {
    bytes(of: path + "-wal") > 0 ? ", and \(size(of: path + "-wal")) in its log" : ""
  }

  private static func size(of path: String) -> String {
    let bytes = bytes(of: path)
    return bytes < 1 << 20 ? "\((bytes + 1023) / 1024) KiB" : "\(bytes >> 20) MiB"
  }

  private static func bytes(of path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_size) : 0
  }

  // MARK: For programs

  func writeJSON() throws {
    var json = JSONWriter()
    let counts = log.hasStore ? try log.counts() : (walks: 0, dogs: 0)
    let commands = try log.commands().count { !$0.isUndone }
    json.object { json in
      json.member("schema", 1)
      json.member("path", path)
      json.member("exists", log.hasStore)
      json.member("bytes", Self.bytes(of: path))
      json.member("log_bytes", Self.bytes(of: path + "-wal"))
      json.member("identifier", log.hasStore ? log.storeIdentifier : nil)
      json.member("dogs", counts.dogs)
      json.member("walks", counts.walks)
      json.member("undo", commands)
      json.member("dogwalk", CommandLineTool.version)
      json.member("sqlite", WalkLog.sqliteVersion)
      json.member("faults") { $0.array { json in for fault in faults { json.value(fault) } } }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension Checkup: Sendable {}
