import CommandLineKit
import DataFormats
import DataModel
import ModelComparison
import ModelCompiler

extension JSONWriter {
  /// Writes a version of a model, with its entities in the order of their numbers.
  mutating func value(_ version: VersionedModel.Version) {
    let model = version.model
    object { json in
      json.member("name", version.name)
      json.member("identifiers") { json in
        json.array { json in for text in model.versionIdentifiers { json.value(text) } }
      }
      json.member("checksum", model.versionChecksum)
      json.member("digest", model.versionHashesDigest)
      json.member("entities") { json in
        json.lines(model.entitiesInNumberOrder) {
          $0.value($1, hash: model.entityVersionHashesByName[$1.name])
        }
      }
    }
  }

  private mutating func value(_ entity: EntityDescription, hash: VersionHash?) {
    object { json in
      json.member("name", entity.name)
      json.member("hash", hash?.description)
      json.member("parent", entity.superentityName)
      json.member("abstract", entity.isAbstract)
      json.member("attributes") { json in
        json.array { json in
          for case .attribute(let attribute) in entity.sortedProperties { json.value(attribute) }
        }
      }
      json.member("relationships") { json in
        json.array { json in
          for case .relationship(let one) in entity.sortedProperties { json.value(one) }
        }
      }
    }
  }

  private mutating func value(_ attribute: AttributeDescription) {
    object { json in
      json.member("name", attribute.name)
      json.member("type", attribute.type.name)
      json.member("optional", attribute.isOptional)
      json.member("transient", attribute.isTransient)
      json.member("derived", attribute.derivationExpression)
    }
  }

  private mutating func value(_ relationship: RelationshipDescription) {
    object { json in
      json.member("name", relationship.name)
      json.member("destination", relationship.destinationEntityName)
      json.member("inverse", relationship.inverseName)
      json.member("many", relationship.isToMany)
      json.member("ordered", relationship.isOrdered)
      json.member("optional", relationship.isOptional)
      json.member("transient", relationship.isTransient)
      json.member("delete", relationship.deleteRule.reading)
    }
  }
}
