import CommandLineKit
import DataModel
import ManagedObjects
import SystemLibraries

extension Complaint {
  /// The complaint about a store that cannot be migrated and is unchanged.
  init(about error: any Error, migrating path: String) {
    self.init(about: error, to: "migrate", path)
  }

  /// The complaint about a store that cannot be converted.
  init(about error: any Error, converting path: String) {
    self.init(about: error, to: "convert", path)
  }

  private init(about error: any Error, to verb: String, _ path: String) {
    let start = "cannot \(verb) \(path.escapingControls): "
    switch error {
    case let error as Complaint: self = error
    case let error as MigrationError:
      self.init(error, start: start)
    case is ModelArchiveError:
      self.init(
        .badData, start + "the model that it holds is damaged",
        hint: "Name the model that it was made with: --from X.xcdatamodeld.")
    case let error as PersistentStoreError:
      self.init(error, migrating: path, start: start)
    default: self.init(about: error)
    }
  }

  /// The complaint about a mapping model that cannot be read.
  init(about error: MappingModelError, reading path: String) {
    let start = "cannot read the mapping model \(path.escapingControls): "
    // The sentence without its full stop and without the path.
    let reason = String("\(error)".dropFirst(error.url.path.count + 2)).escapingControls
    let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    switch error.reason {
    case .unreadable(let code) where code == ENOENT:
      self.init(.noInput, start + "there is no such file", hint: "Check the name.")
    case .unreadable, .tooLarge, .notAMappingModel, .damagedArchive, .damagedXML:
      self.init(.badData, start + sentence, hint: "Name a .cdm, or Xcode's .xcmappingmodel.")
    case .unsupportedExpression, .unreadablePredicate:
      self.init(.unavailable, start + sentence, hint: "Only a program of its own can do that.")
    }
  }

  private init(_ error: MigrationError, start: String) {
    // The sentence without its full stop.
    let reason = String(error.description.dropLast())
    switch error {
    case .missingSourceModel:
      self.init(
        .badData, start + reason, hint: "Name the model that it was made with: --from MODEL.")
    case .duplicateValues, .objectsOfAbstractEntity, .rowsOfNoEntity:
      self.init(
        .badData, start + reason.escapingControls,
        hint: "It is unchanged. Change these objects first.")
    case .missingPolicy:
      self.init(
        .unavailable, start + reason.escapingControls,
        hint: "It is unchanged. Only a program with that code can: see MigrationManager.")
    case .duplicateMappingName, .unknownEntity, .differentVersion, .unknownProperty,
      .unknownMapping, .unusableExpression, .unacceptableValue:
      self.init(
        .badData, start + reason.escapingControls,
        hint: "It is unchanged. Name a mapping between these two versions.")
    default:
      self.init(
        .unavailable, start + reason.escapingControls,
        hint: "It is unchanged. Such a change needs a mapping of its own.")
    }
  }

  private init(_ error: PersistentStoreError, migrating path: String, start: String) {
    switch error {
    case .busy:
      self.init(
        .busy, start + "another program is using it", hint: "Close that one, and try again.")
    case .incompatibleModel, .moved:
      self.init(
        .busy, start + "another program has changed it in the meantime",
        hint: "Look at it, and try again: storetool inspect \(path.shellWord)")
    case .full:
      self.init(
        .inputOutput, start + "there is no room left",
        hint: "It is unchanged. Make room, and try again.")
    case .noPermission:
      self.init(
        .noPermission, start + "you may not write it",
        hint: "Change its permissions, or name a new file with --output NEW.")
    case .cannotWrite(_, let obstacle):
      let what =
        switch obstacle {
        case .persistentHistory: "a history that this program does not go on with"
        case .derivedAttributes: "triggers of Apple's framework for derived attributes"
        case .cloudKit: "tables of CloudKit, which this program does not keep"
        case .hardLinks: "several names (hard links)"
        }
      self.init(
        .unavailable, start + "it has \(what)", hint: "It is unchanged. Open it with its app.")
    case .missingExternalData(let url):
      self.init(
        .badData, start + "its file \(url.lastPathComponent.escapingControls) is missing",
        hint: "Put it back, or try a good copy of the store.")
    case .unsupportedModel(let reason):
      let phrase = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
      self.init(.unavailable, start + phrase, hint: "It is unchanged.")
    default: self.init(error, reading: path)
    }
  }
}
