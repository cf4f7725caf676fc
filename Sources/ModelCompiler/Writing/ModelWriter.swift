import DataModel

/// Writes the Swift file of a model: header, models, versions, classes and accessors.
struct ModelWriter: Sendable {
  /// The contents of the file.
  private(set) var text: String

  /// Creates the file.
  init(_ compiled: CompiledModel) {
    var out = SwiftText()
    Self.writeHead(of: compiled, to: &out)
    Self.writeModels(of: compiled, to: &out)
    Self.writeName(of: compiled, to: &out)
    for (index, version) in compiled.versions.enumerated() {
      out.emptyLine()
      let isCurrent = version.name == compiled.currentVersion.name
      VersionWriter(version, typeName: Self.typeName(index), namesClasses: isCurrent)
        .write(to: &out)
    }
    for written in WrittenClass.all(in: compiled.currentVersion) {
      ClassWriter(written).write(to: &out)
    }
    text = out.text
  }

  /// Returns the name of the type that contains a version's values, private to the file.
  private static func typeName(_ index: Int) -> String { "ModelVersion\(index + 1)" }

  private static func writeHead(of compiled: CompiledModel, to out: inout SwiftText) {
    let fileName = compiled.fileName.split(whereSeparator: \.isNewline).joined(separator: " ")
    out.line("// Written by momc from \(fileName). Do not edit.")
    out.line("// swift-format-ignore-file")
    out.emptyLine()
    guard !namesCoreData(compiled) else {
      // It re-exports Foundation.
      out.line("public import CoreDataNames")
      return
    }
    out.line("public import ManagedObjects")
    guard let access = foundationAccess(of: compiled) else { return }
    out.emptyLine()
    out.line("#if canImport(FoundationEssentials)")
    out.line("  \(access)import FoundationEssentials")
    out.line("#else")
    out.line("  \(access)import Foundation")
    out.line("#endif")
  }

  /// Returns whether a file of the target imports CoreDataNames.
  private static func namesCoreData(_ compiled: CompiledModel) -> Bool {
    compiled.currentVersion.source.handwritten.importsCoreDataNames
  }

  /// Writes the class by which `NSPersistentContainer(name:)` finds a model.
  private static func writeName(of compiled: CompiledModel, to out: inout SwiftText) {
    guard namesCoreData(compiled) else { return }
    // The same name as in ManagedObjectModel.model(named:besideFile:).
    let word = String(compiled.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let model = SwiftName.escaped(SwiftName.lowerCamel(compiled.name))
    out.emptyLine()
    out.documentation("The class by which `NSPersistentContainer(name:)` finds the model.")
    out.block("nonisolated public final class DataModel_\(word): NamedDataModel {") { out in
      out.documentation("The model in its current version.")
      out.line("public static var managedObjectModel: ManagedObjectModel { .\(model) }")
    }
  }

  /// Returns the access level for importing Foundation; nil if the file uses none of its types.
  ///
  /// A public import that no public declaration needs would cause a warning.
  private static func foundationAccess(of compiled: CompiledModel) -> String? {
    let accessed = WrittenClass.all(in: compiled.currentVersion).filter { written in
      written.properties.contains {
        if case .attribute(let attribute) = $0 { attribute.needsFoundation } else { false }
      }
    }
    if accessed.contains(where: \.isPublic) { return "public " }
    if !accessed.isEmpty { return "" }
    let all = compiled.versions.flatMap { $0.model.entities.flatMap(\.attributes) }
    return all.contains(where: \.describesFoundationValues) ? "" : nil
  }

  private static func writeModels(of compiled: CompiledModel, to out: inout SwiftText) {
    let name = SwiftName.lowerCamel(compiled.name)
    let current = compiled.currentVersion.name
    out.emptyLine()
    out.block("nonisolated extension ManagedObjectModel {") { out in
      out.documentation("The data model `\(compiled.name)` in its current version, `\(current)`.")
      let index = compiled.versions.firstIndex { $0.name == current } ?? 0
      out.line(
        "public static let \(SwiftName.escaped(name)): ManagedObjectModel = "
          + "\(typeName(index)).model")
      out.emptyLine()
      out.documentation("Every version of the data model `\(compiled.name)`, by its name.")
      let entries = compiled.versions.enumerated().map { index, version in
        "\(SwiftLiteral.string(version.name)): \(typeName(index)).model"
      }
      out.block(
        "public static let \(name)Versions: [String: ManagedObjectModel] = [", closing: "]"
      ) { out in
        for entry in entries { out.line(entry + ",") }
      }
    }
  }
}
