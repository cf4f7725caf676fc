import DataModel

/// Writes one version of a model as values: a description an entity, the hashes, the model.
///
/// Each description is a constant that names its type, so the compiler checks the file in a time
/// that grows with its length only.
struct VersionWriter {
  private let version: CompiledModel.Version
  private let typeName: String
  private let namesClasses: Bool

  /// - Parameters:
  ///   - typeName: the name of the type that holds the values.
  ///   - namesClasses: whether the model knows its classes: those of the current version exist.
  init(_ version: CompiledModel.Version, typeName: String, namesClasses: Bool) {
    self.version = version
    self.typeName = typeName
    self.namesClasses = namesClasses
  }

  func write(to out: inout SwiftText) {
    out.documentation("The version `\(version.name)`.")
    out.block("private enum \(typeName) {") { out in
      writeModel(to: &out)
      out.emptyLine()
      writeHashes(to: &out)
      if !classNames.isEmpty {
        out.emptyLine()
        out.block("static let classes: [String: AnyClass] = [", closing: "]") { out in
          for name in classNames { out.line("\(SwiftLiteral.string(name)): \(name).self,") }
        }
      }
      for entity in version.model.entities {
        out.emptyLine()
        write(entity, to: &out)
      }
    }
  }

  /// The classes of the entities, each once.
  private var classNames: [String] {
    namesClasses ? version.source.entities.compactMap(\.className) : []
  }

  private func writeModel(to out: inout SwiftText) {
    var arguments = [
      "entities: [" + version.model.entities.map(constantName).joined(separator: ", ") + "]"
    ]
    if version.model.versionIdentifiers != [""] {
      arguments.append(
        "versionIdentifiers: " + SwiftLiteral.strings(version.model.versionIdentifiers))
    }
    arguments.append("versionHashes: versionHashes")
    if !classNames.isEmpty { arguments.append("classes: classes") }
    out.list("static let model = ManagedObjectModel(", arguments, closing: ")")
  }

  private func constantName(_ entity: EntityDescription) -> String {
    SwiftName.lowerCamel(entity.name) + "Entity"
  }

  private func writeHashes(to out: inout SwiftText) {
    if version.model.entities.isEmpty {
      out.line("static let versionHashes: [String: VersionHash] = [:]")
      return
    }
    out.block("static let versionHashes: [String: VersionHash] = [", closing: "]") { out in
      for entity in version.model.entities {
        let hash = version.model.entityVersionHashesByName[entity.name]
        out.line(
          "\(SwiftLiteral.string(entity.name)): "
            + "VersionHash(hex: \"\(hash.map(\.description) ?? "")\")!,")
      }
    }
  }

  private func write(_ entity: EntityDescription, to out: inout SwiftText) {
    let first = SwiftCall.argumentsBeforeLists(of: entity)
    let last = SwiftCall.argumentsAfterLists(of: entity)
    let lists = [
      ("properties", entity.properties.map(SwiftCall.init)),
      ("uniquenessConstraints", entity.uniquenessConstraints.map(SwiftCall.init)),
      ("indexes", entity.indexes.map(SwiftCall.init)),
    ].filter { !$0.1.isEmpty }

    out.block("static let \(constantName(entity)) = EntityDescription(", closing: ")") { out in
      out.list("", first, closing: lists.isEmpty && last.isEmpty ? "" : ",")
      for (index, (label, calls)) in lists.enumerated() {
        let isEnd = index == lists.count - 1 && last.isEmpty
        out.block("\(label): [", closing: isEnd ? "]" : "],") { out in
          for call in calls { out.list(call.head, call.arguments, closing: call.closing + ",") }
        }
      }
      if !last.isEmpty { out.list("", last, closing: "") }
    }
  }
}
