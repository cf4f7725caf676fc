package import DataModel
import SystemLibraries

extension PropertyDescription {
  /// The kind of the property.
  package var kindName: String {
    switch self {
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetchedProperty: "fetched property"
    }
  }
}

extension RelationshipDescription.DeleteRule {
  /// The rule's name in lower case.
  package var reading: String {
    switch self {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}

extension AttributeValue {
  /// The value as shown to people; for bytes, their number.
  package var reading: String {
    switch self {
    case .integer(let integer): "\(integer)"
    case .double(let double): "\(double)"
    case .decimal(let decimal): "\(decimal)"
    case .boolean(let flag): flag ? "yes" : "no"
    case .string(let text): "\"\(text)\""
    case .date(let date): "\(date.timeIntervalSinceReferenceDate) seconds since 2001"
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    }
  }
}

extension FetchIndexDescription {
  /// The index as shown to people: `byDate (date descending)`.
  var reading: String {
    let elements = elements.map { element in
      let name = element.expression ?? element.propertyName
      let order = element.isAscending ? "" : " descending"
      return name + order + (element.collationType == .rTree ? " R-tree" : "")
    }
    let condition = partialIndexPredicate.map { " where \($0)" } ?? ""
    return "\(name) (\(elements.joined(separator: ", ")))\(condition)"
  }
}

extension FetchRequestDescription {
  /// The request as shown to people: `Walk where duration > 3600, limit 5`.
  var reading: String {
    var text = entityName
    if let predicateFormat { text += " where \(predicateFormat)" }
    if fetchLimit != 0 { text += ", limit \(fetchLimit)" }
    if fetchBatchSize != 0 { text += ", batches of \(fetchBatchSize)" }
    switch resultType {
    case .managedObject: break
    case .managedObjectID: text += ", IDs"
    case .dictionary: text += ", dictionaries"
    case .count: text += ", count"
    }
    if !includesSubentities { text += ", without subentities" }
    if !includesPropertyValues { text += ", without values" }
    if !includesPendingChanges { text += ", without unsaved changes" }
    if !returnsObjectsAsFaults { text += ", no faults" }
    if returnsDistinctResults { text += ", distinct" }
    return text
  }
}
