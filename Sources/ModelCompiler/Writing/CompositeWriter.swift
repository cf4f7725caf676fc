import DataModel

/// Writes a composite attribute: a struct of its elements, nested in the class, and an accessor.
struct CompositeWriter {
  private let attribute: AttributeDescription
  private let written: WrittenClass

  init(_ attribute: AttributeDescription, in written: WrittenClass) {
    self.attribute = attribute
    self.written = written
  }

  func write(to out: inout SwiftText) {
    let type = typeName(attribute)
    writeType(of: attribute, to: &out)
    out.emptyLine()
    out.documentation(
      "The composite attribute `\(attribute.name)`; nil if no element has a value.")
    out.block("public var \(SwiftName.escaped(attribute.name)): \(type)? {") { out in
      out.block("get {") { out in
        out.line("var value = \(type)()")
        for leaf in leaves(of: attribute, path: []) {
          let slot = written.slot(of: ([attribute.name] + leaf.path).joined(separator: "."))
          out.line("value.\(swiftPath(leaf.path)) = optionalValue(at: \(slot))")
        }
        out.line("return value == \(type)() ? nil : value")
      }
      out.block("set {") { out in
        for leaf in leaves(of: attribute, path: []) {
          let slot = written.slot(of: ([attribute.name] + leaf.path).joined(separator: "."))
          out.line("setOptionalValue(newValue?.\(swiftPath(leaf.path)), at: \(slot))")
        }
      }
    }
  }

  private func writeType(of composite: AttributeDescription, to out: inout SwiftText) {
    out.documentation("The values of the composite attribute `\(composite.name)`.")
    out.block("nonisolated public struct \(typeName(composite)): Sendable, Hashable {") { out in
      for element in storedElements(of: composite) {
        if element.type == .composite {
          writeType(of: element, to: &out)
          out.emptyLine()
          out.documentation("The composite element `\(element.name)`.")
          out.line("public var \(SwiftName.escaped(element.name)) = \(typeName(element))()")
        } else {
          let bytes = element.type == .transformable ? ", as the bytes that the store has" : ""
          out.documentation(
            "The element `\(element.name)`\(bytes); nil if it has no value.")
          out.line("public var \(SwiftName.escaped(element.name)): \(elementType(element))?")
        }
        out.emptyLine()
      }
      out.documentation("Creates values, none of them set.")
      out.line("public init() {}")
    }
  }

  /// Returns the name of the struct: the attribute's, unless it is already the name of another
  /// type.
  private func typeName(_ composite: AttributeDescription) -> String {
    let name = SwiftName.capitalized(composite.name)
    let isTaken =
      ReservedNames.isClass(name)
      || written.model.entities.contains { $0.managedObjectClassName == name }
    return isTaken ? name + "Values" : name
  }

  private func elementType(_ element: AttributeDescription) -> String {
    element.type == .transformable ? "Data" : element.swiftType
  }

  private func storedElements(of composite: AttributeDescription) -> [AttributeDescription] {
    composite.elements.filter { !$0.isTransient }
  }

  private func leaves(
    of composite: AttributeDescription, path: [String]
  ) -> [(path: [String], element: AttributeDescription)] {
    storedElements(of: composite).flatMap { element in
      element.type == .composite
        ? leaves(of: element, path: path + [element.name]) : [(path + [element.name], element)]
    }
  }

  private func swiftPath(_ path: [String]) -> String {
    path.map(SwiftName.escaped).joined(separator: ".")
  }
}
