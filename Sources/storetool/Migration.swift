import CommandLineKit
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// `storetool migrate`: migrates a store to another version of its model.
struct Migration {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Shows the plan, then does what was requested.
  func perform() throws {
    let destination = try destination()
    let plan = try MigrationPlan(run)
    if !run.values.contains(.quiet) { try plan.write(run) }
    switch destination {
    case .nowhere: return
    case .inPlace:
      guard !plan.steps.isEmpty else { return }
      do {
        try migrate(plan.url, plan)
      } catch {
        throw Complaint(about: error, migrating: run.operand)
      }
      try say("Migrated \(run.operand) to \(plan.destination.name).")
    case .file(let path):
      let output = try MigratedCopy(of: plan, at: path)
      do {
        try output.make { try migrate($0, plan) }
      } catch {
        throw (error as? PersistentStoreError).flatMap {
          Complaint($0, making: path, from: plan.url)
        } ?? Complaint(about: error, migrating: run.operand)
      }
      try say("Made \(path), migrated to \(plan.destination.name); \(run.operand) is unchanged.")
    }
  }

  /// The destination of the migrated store.
  private enum Destination {
    case nowhere, inPlace
    case file(String)
  }

  private func destination() throws -> Destination {
    let (output, inPlace) = (run.values[.output], run.values.contains(.inPlace))
    if output != nil, inPlace {
      throw ValidationError(
        "--output and --in-place contradict each other", hint: "Give one of them.")
    }
    if run.values.contains(.dryRun) { return .nowhere }
    if inPlace { return .inPlace }
    guard let output else {
      throw ValidationError(
        "migrate needs to know where the migrated store goes",
        hint: "Look at the plan with --dry-run, name a new file with --output NEW, or change the "
          + "store itself with --in-place.")
    }
    return .file(output)
  }

  private func migrate(_ url: URL, _ plan: MigrationPlan) throws {
    guard !plan.steps.isEmpty else { return }
    let progress = Progress(on: run.errors, isSeen: isatty(STDERR_FILENO) == 1)
    defer { progress.end() }
    let result = try PersistentStoreCoordinator.migrateStore(
      at: url, to: plan.destination.model, configurationName: plan.configurationName,
      options: plan.options
    ) { part in
      progress.show("Migrating…", part: part)
    }
    if result?.droppedUndoLog == true {
      try say("Its undo log was removed, since it described the rows before the migration.")
    }
  }

  private func say(_ sentence: String) throws {
    guard !run.values.contains(.quiet) else { return }
    try run.errors.writeSentence(sentence, columns: nil)
  }
}

@available(*, unavailable) extension Migration: Sendable {}
