import Foundation
import TestSupport

/// A JSON schema, as far as the project's uses the language.
struct JSONSchema {
  private let root: [String: Any]

  /// The project's schema of what `--json` prints.
  init() throws {
    let url = URL.projectFolder.appending(path: "Schemas/dogwalk.schema.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    root = object as? [String: Any] ?? [:]
  }

  /// The faults of a document, checked against one of the definitions; empty if there are none.
  func problems(in text: String, as definition: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    return problems(in: value, by: ["$ref": "#/$defs/\(definition)"], at: definition)
  }

  private func problems(in value: Any, by schema: [String: Any], at path: String) -> [String] {
    var faults: [String] = []
    for (keyword, rule) in schema {
      switch (keyword, rule) {
      case ("$ref", let reference as String):
        let name = String(reference.split(separator: "/").last ?? "")
        guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
          return ["\(path): no definition \(name)"]
        }
        faults += self.problems(in: value, by: target, at: path)
      case ("type", let type):
        let types = type as? [String] ?? [type as? String ?? ""]
        if !types.contains(where: { Self.is(value, $0) }) {
          faults.append("\(path): \(value) is no \(types)")
        }
      case ("const", let constant as NSNumber):
        if value as? NSNumber != constant { faults.append("\(path): \(value) is not \(constant)") }
      case ("minimum", let least as NSNumber):
        if let number = value as? NSNumber, number.doubleValue < least.doubleValue {
          faults.append("\(path): \(number) is below \(least)")
        }
      case ("pattern", let pattern as String):
        if let text = value as? String,
          text.range(of: pattern, options: .regularExpression) == nil
        {
          faults.append("\(path): \(text) is not of the form \(pattern)")
        }
      case ("required", let names as [String]):
        guard let object = value as? [String: Any] else { break }
        faults += names.filter { object[$0] == nil }.map { "\(path): no \($0)" }
      case ("properties", let properties as [String: Any]):
        guard let object = value as? [String: Any] else { break }
        for (name, member) in object {
          guard let rule = properties[name] as? [String: Any] else {
            faults.append("\(path): nobody knows \(name)")
            continue
          }
          faults += self.problems(in: member, by: rule, at: "\(path).\(name)")
        }
      case ("items", let rule as [String: Any]):
        for (place, element) in (value as? [Any] ?? []).enumerated() {
          faults += self.problems(in: element, by: rule, at: "\(path)[\(place)]")
        }
      case ("anyOf", let rules as [[String: Any]]):
        if !rules.contains(where: { self.problems(in: value, by: $0, at: path).isEmpty }) {
          faults.append("\(path): \(value) is none of what it may be")
        }
      case ("description", _): break
      default: faults.append("\(path): the schema's word \(keyword) is not understood")
      }
    }
    return faults
  }

  private static func `is`(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "boolean": (value as? NSNumber).map(isBoolean) ?? false
    case "number": (value as? NSNumber).map { !isBoolean($0) } ?? false
    case "integer":
      (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue }
        ?? false
    default: false
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }
}
