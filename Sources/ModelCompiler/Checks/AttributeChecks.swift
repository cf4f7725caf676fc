import DataModel

/// Checks the types and defaults of attributes.
enum AttributeChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    for entity in model.entities {
      for attribute in entity.attributes {
        check(attribute, named: "\(entity.name).\(attribute.name)", &log)
      }
    }
  }

  private static func check(
    _ attribute: SourceAttribute, named fullName: String, _ log: inout DiagnosticLog
  ) {
    switch attribute.type {
    case .undefined:
      log.error(
        attribute.isTransient
          ? "the attribute '\(fullName)' has no type, which is not supported yet"
          : "the attribute '\(fullName)' has no type",
        at: attribute.location)
    case nil, .transformable, .composite:
      // Said where the XML was read.
      break
    default:
      if case .problem(let reason)? = DefaultValue.of(attribute) {
        let text = attribute.defaultInterval ?? attribute.defaultText ?? ""
        log.error(
          "the default '\(text)' of '\(fullName)' \(reason)", at: attribute.location)
      }
    }
  }
}
