import DataModel

/// Writes a version of a model as values: the entity descriptions, the hashes and the model.
///
/// Each description is a constant with an explicit type, so that the compiler takes time linear in
/// the length of the file.
struct VersionWriter {
  let version: CompiledModel.Version
  private let typeName: String
  private let namesClasses: Bool
  private let constantNames: [String: String]

  /// - Parameters:
  ///   - typeName: the name of the type that contains the values.
  ///   - namesClasses: whether the model refers to its classes; those of the current version exist.
  init(_ version: CompiledModel.Version, typeName: String, namesClasses: Bool) {
    self.version = version
    self.typeName = typeName
    self.namesClasses = namesClasses
    constantNames = Self.constantNames(of: version.model.entities)
  }

  func write(to out: inout SwiftText) {
    out.documentation("The version `\(version.name)`.")
    out.block("nonisolated private enum \(typeName) {") { out in
      writeModel(to: &out)
      out.emptyLine()
      writeHashes(to: &out)
      writeClasses(to: &out)
      writeConfigurations(to: &out)
      writeFetchRequests(to: &out)
      for entity in version.model.entities {
        out.emptyLine()
        write(entity, to: &out)
      }
    }
  }

  /// Writes the classes of the current version.
  ///
  /// Those that the model defines or extends must exist; others may be handwritten, and are looked
  /// up at run time.
  private func writeClasses(to out: inout SwiftText) {
    guard hasClasses else { return }
    out.emptyLine()
    if lookedForClassNames.isEmpty {
      out.block("static let classes: [String: AnyClass] = [", closing: "]") { out in
        for name in writtenClassNames { out.line(entry(name)) }
      }
      return
    }
    let found = lookedForClassNames.map(SwiftLiteral.string)
    if writtenClassNames.isEmpty {
      out.list(
        "static let classes: [String: AnyClass] = ManagedObjectModel.classes(named: [", found,
        closing: "], besideFile: #fileID)")
      return
    }
    out.line("static let classes: [String: AnyClass] = [")
    for name in writtenClassNames { out.line("  " + entry(name)) }
    out.list(
      "].merging(ManagedObjectModel.classes(named: [", found,
      closing: "], besideFile: #fileID)) { first, _ in first }")
  }

  private func entry(_ className: String) -> String {
    "\(SwiftLiteral.string(className)): \(SwiftName.escaped(className)).self,"
  }

  private var hasClasses: Bool { !writtenClassNames.isEmpty || !lookedForClassNames.isEmpty }

  /// The names of the classes with generated accessors, each once.
  private var writtenClassNames: [String] {
    namesClasses ? WrittenClass.all(in: version).map(\.name) : []
  }

  /// The names of the other entities' classes with their modules, each once.
  private var lookedForClassNames: [String] {
    guard namesClasses else { return [] }
    var seen = Set(writtenClassNames)
    return version.source.entities.compactMap { entity in
      guard let name = entity.className, seen.insert(name).inserted else { return nil }
      return entity.classModule.map { "\($0).\(name)" } ?? name
    }
  }

  private func writeModel(to out: inout SwiftText) {
    var arguments = [
      "entities: [" + version.model.entities.map(constantName).joined(separator: ", ") + "]"
    ]
    if version.model.versionIdentifiers != [""] {
      arguments.append(
        "versionIdentifiers: " + SwiftLiteral.strings(version.model.versionIdentifiers))
    }
    if !version.model.configurations.isEmpty { arguments.append("configurations: configurations") }
    if !version.model.fetchRequestTemplatesByName.isEmpty {
      arguments.append("fetchRequestTemplates: fetchRequestTemplates")
    }
    arguments.append("versionHashes: versionHashes")
    if hasClasses { arguments.append("classes: classes") }
    out.list("static let model = ManagedObjectModel(", arguments, closing: ")")
  }

  private func constantName(_ entity: EntityDescription) -> String {
    constantNames[entity.name] ?? ""
  }

  /// Returns the names of the entities' constants, numbered if they would be the same.
  private static func constantNames(of entities: [EntityDescription]) -> [String: String] {
    var uses: [String: Int] = [:]
    var names: [String: String] = [:]
    for entity in entities {
      let name = SwiftName.lowerCamel(entity.name) + "Entity"
      let number = uses[name, default: 0] + 1
      uses[name] = number
      names[entity.name] = number == 1 ? name : "\(name)\(number)"
    }
    return names
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
