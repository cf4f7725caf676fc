import DataModel

extension VersionWriter {
  /// Writes the entity names of each configuration.
  func writeConfigurations(to out: inout SwiftText) {
    guard !version.model.configurations.isEmpty else { return }
    out.emptyLine()
    out.block("static let configurations: [String: [String]] = [", closing: "]") { out in
      for name in version.model.configurations {
        let entities = version.model.entities(forConfigurationName: name) ?? []
        out.list(
          "\(SwiftLiteral.string(name)): [", entities.map { SwiftLiteral.string($0.name) },
          closing: "],")
      }
    }
  }

  /// Writes the fetch request templates of the model.
  func writeFetchRequests(to out: inout SwiftText) {
    let templates = version.model.fetchRequestTemplatesByName
    guard !templates.isEmpty else { return }
    out.emptyLine()
    out.block(
      "static let fetchRequestTemplates: [String: FetchRequestDescription] = [", closing: "]"
    ) { out in
      for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
        let call = SwiftCall(template)
        out.list(
          "\(SwiftLiteral.string(name)): \(call.head)", call.arguments,
          closing: call.closing + ",")
      }
    }
  }
}
