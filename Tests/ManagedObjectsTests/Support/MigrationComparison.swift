import DataModel
import Foundation

@testable import ManagedObjects

/// A store's objects after a migration in place, compared with what its mapping says.
///
/// Computes every value by itself, from both models and the old values: slow, and simple.
struct MigrationComparison {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let mapping: MappingModel
  let before: StoreSnapshot
  let after: StoreSnapshot

  /// The differences between the objects of the new store and the mapping.
  func differences() -> [String] {
    var differences: [String] = []
    var expected: Set<StoreSnapshot.Key> = []
    for entity in mapping.entityMappings {
      guard let oldName = entity.sourceEntityName, let name = entity.destinationEntityName,
        let old = source.entitiesByName[oldName], let new = destination.entitiesByName[name]
      else { continue }
      for (key, values) in before.objects where key.entity == oldName {
        let newKey = StoreSnapshot.Key(entity: name, key: key.key)
        expected.insert(newKey)
        guard let found = after.objects[newKey] else {
          differences.append("\(key) is gone")
          continue
        }
        for property in entity.attributeMappings {
          guard let attribute = new.attributesByName[property.name] else { continue }
          let former = property.sourceName.flatMap { old.attributesByName[$0] }
          for leaf in Leaf.all(of: attribute, from: former) {
            let wanted = wanted(leaf, of: values, found)
            if let wanted, found[leaf.path] != wanted {
              differences.append("\(newKey).\(leaf.path): \(found[leaf.path] ?? []) for \(wanted)")
            }
          }
        }
        for property in entity.relationshipMappings {
          guard let relationship = new.relationshipsByName[property.name],
            let former = property.sourceName.flatMap({ old.relationshipsByName[$0] }),
            let links = values[former.name], let now = found[relationship.name]
          else { continue }
          let wanted = wanted(links, relationship, isNewlyOrdered: !former.isOrdered)
          if relationship.isOrdered ? now != wanted : now.sorted() != wanted.sorted() {
            differences.append("\(newKey).\(relationship.name): \(now) for \(wanted)")
          }
        }
      }
    }
    differences += after.objects.keys.filter { !expected.contains($0) }.map { "\($0) is new" }
    return differences.sorted()
  }

  // MARK: Attributes

  /// An attribute that is stored, or an element of a composite, with its predecessor.
  private struct Leaf {
    let path: String
    let attribute: AttributeDescription
    let formerPath: String?

    static func all(
      of attribute: AttributeDescription, from former: AttributeDescription?, in path: String = "",
      formerly formerPath: String = ""
    ) -> [Leaf] {
      guard !attribute.isTransient else { return [] }
      let stored = former.flatMap { $0.isTransient ? nil : $0 }
      guard attribute.type == .composite else {
        return [
          Leaf(
            path: path + attribute.name, attribute: attribute,
            formerPath: stored.map { formerPath + $0.name })
        ]
      }
      return attribute.elements.flatMap { element in
        all(
          of: element, from: stored?.elements.first { $0.name == element.name },
          in: "\(path)\(attribute.name).", formerly: "\(formerPath)\(stored?.name ?? "").")
      }
    }
  }

  /// The expected value; nil if it is not known here.
  private func wanted(
    _ leaf: Leaf, of values: [String: [String]], _ found: [String: [String]]
  ) -> [String]? {
    let attribute = leaf.attribute
    if let expression = attribute.derivationExpression { return derived(expression, found) }
    let old = leaf.formerPath.flatMap { values[$0] }
    if let old, !old.isEmpty { return old }
    guard old == nil || !attribute.isOptional, let value = attribute.defaultValue else { return [] }
    return ["\(value)"]
  }

  /// The number of members of a list (`walks.@count`), or the sum of their `n` (`walks.n.@sum`).
  private func derived(_ expression: String, _ found: [String: [String]]) -> [String]? {
    let parts = expression.split(separator: ".").map(String.init)
    guard let members = found[parts[0]] else { return nil }
    if parts.last == "@count" { return ["integer(\(members.count))"] }
    guard parts.last == "@sum" else { return nil }
    guard let values = sums[parts[0]] else { return nil }
    let sum = members.reduce(Int64(0)) { $0 + (values[$1] ?? 0) }
    return ["integer(\(sum))"]
  }

  /// The number `n` of each object that a relationship may lead to, by its key, by the
  /// relationship.
  private let sums: [String: [String: Int64]]

  init(
    from source: (model: ManagedObjectModel, objects: StoreSnapshot),
    to destination: (model: ManagedObjectModel, objects: StoreSnapshot), by mapping: MappingModel
  ) {
    (self.source, before) = source
    (self.destination, after) = destination
    self.mapping = mapping
    var sums: [String: [String: Int64]] = [:]
    let model = destination.model
    for relationship in model.entities.flatMap(\.relationships) {
      let family = model.family(of: relationship.destinationEntityName)
      for (key, values) in destination.objects.objects where family.contains(key.entity) {
        let number = (values["n"]?.first?.dropFirst("integer(".count).dropLast()).flatMap {
          Int64($0)
        }
        sums[relationship.name, default: [:]]["\(key.key)"] = number
      }
    }
    self.sums = sums
  }

  // MARK: Relationships

  /// The keys of the objects that are still linked, in the expected order.
  private func wanted(
    _ links: [String], _ relationship: RelationshipDescription, isNewlyOrdered: Bool
  ) -> [String] {
    // An object deleted with its entity has no owner any more; other deletions are reported above.
    let family = destination.family(of: relationship.destinationEntityName)
    let kept = links.filter { key in
      family.contains { after.objects[.init(entity: $0, key: Int64(key)!)] != nil }
    }
    guard relationship.isOrdered, isNewlyOrdered else { return kept }
    return kept.sorted { Int64($0)! < Int64($1)! }
  }
}

extension ManagedObjectModel {
  /// An entity and all that descend from it, by their names.
  func family(of name: String) -> [String] {
    [name] + entities.filter { $0.superentityName == name }.flatMap { family(of: $0.name) }
  }
}
