import CommandLineKit
import DogWalkModel

/// The settings from the environment and from `dogwalk config`; options take precedence over both.
extension CommandRun {
  /// Returns the value of a setting: the environment's, else the file's; `nil` if neither sets it.
  ///
  /// - Throws: `ValidationError` if the environment's value is invalid; `Complaint` if the file's
  ///   value is, or the file cannot be read.
  func setting(_ setting: Setting) throws -> SettingValue? {
    if let typed = environment.nonEmpty(setting.variable) {
      let value = try setting.checked(typed, in: setting.variable)
      return SettingValue(text: value, origin: "$\(setting.variable)")
    }
    guard let file = try configurationFile(), let entry = file[setting] else { return nil }
    do throws(ValidationError) {
      // Other bytes than UTF-8 are read as this character.
      guard !entry.value.contains("\u{FFFD}") else {
        throw ValidationError("\(setting.rawValue) is not UTF-8", hint: "Write it again.")
      }
      let value = try setting.checked(entry.value)
      if setting == .store, !value.hasPrefix("/"), !value.hasPrefix("~"),
        !value.contains("://")
      {
        throw ValidationError(
          "store cannot be \(ValidationError.quoted(value)), which names another file in each folder",
          hint: "Write its whole path.")
      }
      return SettingValue(text: value, origin: shownPath(file.path))
    } catch {
      throw Complaint(
        .configuration,
        "line \(entry.line) of \(shownPath(file.path)): \(error.message)")
    }
  }

  /// Returns a path as shown to people, with `~` for the home folder.
  func shownPath(_ path: String) -> String {
    guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/"), path.hasPrefix(home + "/")
    else { return path.escapingControls }
    return "~" + String(path.dropFirst(home.count)).escapingControls
  }

  /// Returns the walker for walks without a named one.
  func usualWalker() throws -> String? { try setting(.by)?.text }

  /// Returns the author of this command: `$DOGWALK_BY`, else `config by`, else the system's user;
  /// `nil` for none.
  ///
  /// The system's user is `$LOGNAME`, else `$USER`, else the name in its list of users, else the
  /// user's number. A variable that is set to an empty text means no user. `--by` is never used,
  /// since it names the walker.
  func author() throws -> String? {
    if let name = try usualWalker() { return name }
    var user = environment.nonEmpty("LOGNAME") ?? environment.nonEmpty("USER")
    if environment["LOGNAME"] == nil, environment["USER"] == nil { user = SystemUser.author() }
    return user.flatMap { try? TypedText.name($0, of: "the user") }
  }

  /// The clock that the locale uses, as a terminal shows it.
  var localeClock: SettingValue {
    for variable in ["LC_ALL", "LC_TIME", "LANG"] {
      guard let locale = environment.nonEmpty(variable) else { continue }
      return SettingValue(
        text: LocaleClock.hasTwelveHours(in: locale) ? "12" : "24", origin: "$\(variable)")
    }
    return SettingValue(text: "24", origin: "default")
  }
}
