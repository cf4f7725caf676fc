import DataFormats
import DataModel
import ModelComparison

extension ModelDifference.Entity {
  /// `Dog, its version hash changes`, `Dog, new`.
  var title: String {
    let hash = movesVersionHash ? "its version hash changes" : "its version hash stays the same"
    let parent = movedByParent.map { ", as does that of its parent \($0)" } ?? ""
    return switch kind {
    case .added: "\(name), new"
    case .removed: "\(name), removed"
    case .renamed: "\(name), renamed from \(oldName ?? ""); \(hash)\(parent)"
    case .changed: "\(name), \(hash)\(parent)"
    }
  }
}

extension ModelDifference.Change {
  /// The change with the description of the property, if it was added or removed.
  func described(
    in entity: ModelDifference.Entity, _ old: ManagedObjectModel?, _ new: ManagedObjectModel?
  ) -> ModelDifference.Change {
    var described = self
    switch kind {
    case .added:
      described.new = new?.entitiesByName[entity.name]?.property(property)?.readingWithDefault
    case .removed:
      described.old = old?.entitiesByName[entity.oldName ?? ""]?.property(property)?.reading
    case .renamed, .changed: break
    }
    return described
  }

  /// A sign as in a diff.
  var sign: String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .renamed, .changed: "~"
    }
  }

  /// The change in words: `Double, optional`, `optional: no → yes`, `renamed from date`.
  var reading: String {
    switch kind {
    case .added: new ?? ""
    case .removed: old ?? ""
    case .renamed: "renamed from \(old ?? "")"
    case .changed: "\(aspect ?? ""): \(old ?? "none") → \(new ?? "none")"
    }
  }
}

extension PropertyDescription {
  /// The description, with the default value that existing objects get.
  fileprivate var readingWithDefault: String {
    guard case .attribute(let attribute) = self, let value = attribute.defaultValue else {
      return reading
    }
    return "\(reading), default \(value.reading)"
  }
}

extension EntityDescription {
  fileprivate func property(_ name: String?) -> PropertyDescription? {
    properties.first { $0.name == name }
  }
}

extension JSONWriter {
  /// Writes an entity that differs.
  mutating func value(_ entity: ModelDifference.Entity, _ changes: [ModelDifference.Change]) {
    object { json in
      json.member("name", entity.name)
      json.member("was", entity.oldName)
      json.member("kind", entity.kind.rawValue)
      json.member("moved", entity.movesVersionHash)
      json.member("movedByParent", entity.movedByParent)
      json.member("hash", entity.newHash?.description)
      json.member("oldHash", entity.oldHash?.description)
      json.member("changes") { json in
        json.array { json in for change in changes { json.value(change) } }
      }
    }
  }

  /// Writes one difference.
  mutating func value(_ change: ModelDifference.Change) {
    object { json in
      json.member("kind", change.kind.rawValue)
      json.member("property", change.property)
      json.member("aspect", change.aspect)
      json.member("from", change.old)
      json.member("to", change.new)
      json.member("moved", change.movesVersionHash)
    }
  }
}
