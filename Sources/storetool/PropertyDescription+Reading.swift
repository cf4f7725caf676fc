import DataModel
import ModelComparison

extension PropertyDescription {
  /// The description in words: `String, optional`, `many Walk, ordered, inverse dog, cascade`.
  var reading: String {
    switch self {
    case .attribute(let attribute): attribute.reading
    case .relationship(let relationship): relationship.reading
    case .fetchedProperty: "fetched property"
    }
  }
}

extension AttributeDescription {
  fileprivate var reading: String {
    var words = [type.name]
    if isOptional { words.append("optional") }
    if isTransient { words.append("transient") }
    if let derivationExpression { words.append("derived from \(derivationExpression)") }
    if allowsExternalBinaryDataStorage { words.append("large values in files") }
    return words.joined(separator: ", ")
  }
}

extension RelationshipDescription {
  fileprivate var reading: String {
    var words = ["\(isToMany ? "many" : "one") \(destinationEntityName)"]
    if isOrdered { words.append("ordered") }
    if isOptional { words.append("optional") }
    if isTransient { words.append("transient") }
    words.append(inverseName.map { "inverse \($0)" } ?? "no inverse")
    words.append(deleteRule.reading)
    return words.joined(separator: ", ")
  }
}
