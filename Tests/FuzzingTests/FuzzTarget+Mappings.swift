import Foundation

@testable import ManagedObjects

extension FuzzTarget {
  /// Mapping models, compiled ones and Xcode's: names are the same with values and without.
  static let mappings = FuzzTarget(name: "mappings") { bytes in
    let mapping: MappingModel
    do throws(MappingModelError.Reason) {
      mapping = try MappingModel(bytes)
    } catch {
      let url = URL(filePath: "/fuzz")
      return MappingModelError(url: url, reason: error).description.hasPrefix("/fuzz: ")
        ? nil : "an error without its file"
    }
    let outline = try MappingModel(bytes, values: .none)
    return outline.entityMappings.map(\.name) == mapping.entityMappings.map(\.name)
      ? nil : "the mappings have other names without their values"
  }
}
