import DataModel

/// The differences between two versions of an attribute.
enum AttributeComparison {
  static func changes(
    _ old: AttributeDescription, _ new: AttributeDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { PropertyDescription.attribute($0).share(in: entity) }
    comparison.note("type", \.type) { $0.name }
    comparison.note("optional", \.isOptional)
    comparison.note("transient", \.isTransient)
    comparison.note("default", \.defaultValue)
    comparison.note("minimum", \.minimumValue)
    comparison.note("maximum", \.maximumValue)
    comparison.note("regular expression", \.regularExpression)
    comparison.note("conditions", \.validationPredicates) { conditions in
      conditions.isEmpty ? nil : conditions.map(\.format).joined(separator: "; ")
    }
    comparison.note("derived from", \.derivationExpression)
    comparison.note("transformer", \.valueTransformerName)
    comparison.note("value class", \.attributeValueClassName)
    comparison.note("elements", \.elements) { elements in
      let texts = elements.map { "\($0.name) \($0.type.name)" }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    comparison.note("large values in files", \.allowsExternalBinaryDataStorage)
    comparison.note("kept in history", \.preservesValueInHistoryOnDeletion)
    comparison.note("scalar", \.usesScalarValueType)
    comparison.note("indexed", \.isIndexed)
    comparison.note("indexed by Spotlight", \.isIndexedBySpotlight)
    comparison.note("stored in external record", \.isStoredInExternalRecord)
    comparison.note("encrypted in CloudKit", \.allowsCloudEncryption)
    comparison.note("version hash modifier", \.versionHashModifier)
    comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }
}
