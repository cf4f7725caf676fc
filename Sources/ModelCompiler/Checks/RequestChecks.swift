import DataModel

/// Checks that fetch requests, fetched properties and configurations refer to existing entities.
enum RequestChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    let entityNames = Set(model.entities.map(\.name))
    var requestNames: Set<String> = []
    for request in model.fetchRequests {
      let subject = "the fetch request '\(request.name)'"
      if !request.name.isEmpty, !requestNames.insert(request.name).inserted {
        log.error("there is a fetch request '\(request.name)' already", at: request.location)
      }
      if request.description.entityName.isEmpty {
        log.warning("\(subject) has no entity; it is left out", at: request.location)
      } else {
        check(request, of: subject, entityNames, &log)
      }
    }
    for entity in model.entities {
      for property in entity.fetchedProperties {
        let subject = "the fetched property '\(entity.name).\(property.name)'"
        guard let request = property.fetchRequest, !request.description.entityName.isEmpty else {
          log.error("\(subject) does not say which entity it fetches", at: property.location)
          continue
        }
        check(request, of: subject, entityNames, &log)
      }
    }
    checkConfigurations(model, entityNames, &log)
  }

  private static func check(
    _ request: SourceFetchRequest, of subject: String, _ entityNames: Set<String>,
    _ log: inout DiagnosticLog
  ) {
    let name = request.description.entityName
    if !entityNames.contains(name) {
      log.error("\(subject) fetches '\(name)', but there is no such entity", at: request.location)
    }
  }

  private static func checkConfigurations(
    _ model: SourceModel, _ entityNames: Set<String>, _ log: inout DiagnosticLog
  ) {
    var seen: Set<String> = []
    for configuration in model.configurations {
      let name = configuration.name
      if !name.isEmpty, !seen.insert(name).inserted {
        log.error("there is a configuration '\(name)' already", at: configuration.location)
      }
      for member in configuration.members
      where !member.entityName.isEmpty && !entityNames.contains(member.entityName) {
        log.error(
          "the configuration '\(name)' has the entity '\(member.entityName)', but there is no such "
            + "entity",
          at: member.location)
      }
    }
  }
}
