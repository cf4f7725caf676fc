import CommandLineKit
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// `storetool convert`: copies everything in a store to a new one of another type.
struct Conversion {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Creates the new store; the old one is only read.
  func perform() throws {
    let kind = try kind()
    guard let path = run.values[.output] else {
      throw ValidationError(
        "convert needs to know where the new store goes", hint: "Name a new file with --output NEW."
      )
    }
    let url = URL(filePath: run.operand).storeFile
    let (version, configurationName) = try model(of: url)
    try Complaint.refuseToMake(over: path)
    try write(url, of: version.model, configurationName, to: path, kind)
    guard !run.values.contains(.quiet) else { return }
    try run.errors.writeSentence(
      "Made \(path) with everything in \(run.operand), which is unchanged.", columns: nil)
  }

  private func kind() throws -> StoreKind {
    // The parser rejects an unknown store type.
    guard let kind = run.values[.kind].flatMap(StoreKind.named) else {
      throw ValidationError(
        "convert needs the kind of the new store",
        hint: "Name it with --to \(StoreKind.all.map(\.name).joined(separator: "|")).")
    }
    return kind
  }

  /// The version that the store was created with, and the configuration that it holds.
  private func model(of url: URL) throws -> (VersionedModel.Version, configurationName: String?) {
    let file = try run.values[.model].map { try ModelFile(at: $0, run) }
    do {
      if let type = url.documentType {
        guard let file else { throw noModel }
        let metadata = try url.objects(type).metadata
        let version = try file.version(of: run.operand, metadata: metadata, to: "convert")
        return (version, version.model.configuration(of: metadata))
      }
      let reader = try StoreReader(contentsOf: url)
      let version: VersionedModel.Version
      if let file {
        version = try file.version(of: run.operand, metadata: reader.metadata, to: "convert")
      } else if let model = try reader.embeddedModel() {
        version = VersionedModel(model, named: "the model that it holds").currentVersion
      } else {
        throw noModel
      }
      return (version, version.model.configuration(of: reader.metadata))
    } catch {
      throw Complaint(about: error, converting: run.operand)
    }
  }

  private var noModel: Complaint {
    Complaint(
      .usage, "cannot convert \(run.operand.escapingControls): it holds no model",
      hint: "Name the model of the app that made it: --model X.xcdatamodeld.")
  }

  private func write(
    _ url: URL, of model: ManagedObjectModel, _ configurationName: String?, to path: String,
    _ kind: StoreKind
  ) throws {
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let target = URL(filePath: path)
    do {
      let store = try coordinator.addPersistentStore(
        type: url.documentType ?? .sqlite, configurationName: configurationName, at: url,
        options: options)
      try coordinator.write(store, to: target, type: kind.type)
    } catch let error as PersistentStoreError {
      throw Complaint(error, making: path, from: url)
        ?? Complaint(about: error, converting: run.operand)
    } catch {
      throw Complaint(about: error, converting: run.operand)
    }
  }
}

@available(*, unavailable) extension Conversion: Sendable {}
