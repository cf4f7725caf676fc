import CommandLineKit
import DogWalkModel

/// What `dogwalk config` and the environment say; options go before both.
extension CommandRun {
  /// The value of a setting: the environment's, else the file's; `nil` where neither says.
  ///
  /// - Throws: `ValidationError` where the environment's value cannot be, and `Complaint` where the
  ///   file's cannot, or the file cannot be read.
  func setting(_ setting: Setting) throws -> SettingValue? {
    if let typed = environment.nonEmpty(setting.variable) {
      let value = try setting.checked(typed, in: setting.variable)
      return SettingValue(text: value, origin: "$\(setting.variable)")
    }
    guard let file = try configurationFile(), let entry = file[setting] else { return nil }
    do throws(ValidationError) {
      return SettingValue(
        text: try setting.checked(entry.value), origin: shownPath(file.path))
    } catch {
      throw Complaint(
        .configuration,
        "line \(entry.line) of \(shownPath(file.path)): \(error.message)")
    }
  }

  /// A path as people read it: `~` for the home folder.
  func shownPath(_ path: String) -> String {
    guard let home = environment.nonEmpty("HOME"), home.hasPrefix("/"), path.hasPrefix(home + "/")
    else { return path.escapingControls }
    return "~" + String(path.dropFirst(home.count)).escapingControls
  }

  /// Who walks where nobody is named.
  func usualWalker() throws -> String? { try setting(.by)?.text }

  /// Who gives this command: `$DOGWALK_BY`, else `config by`, else the system's user; `nil` where
  /// nothing says so.
  ///
  /// The system's user is `$LOGNAME`, else `$USER`, else who its list of users says. A variable
  /// that is set and empty says that it is nobody. Never `--by`, which says who walked.
  func author() throws -> String? {
    if let name = try usualWalker() { return name }
    var user = environment.nonEmpty("LOGNAME") ?? environment.nonEmpty("USER")
    if environment["LOGNAME"] == nil, environment["USER"] == nil { user = SystemUser.name() }
    return user.flatMap { try? TypedText.name($0, of: "the user") }
  }

  /// The clock that the locale asks for, as a terminal shows it.
  var localeClock: SettingValue {
    for variable in ["LC_ALL", "LC_TIME", "LANG"] {
      guard let locale = environment.nonEmpty(variable) else { continue }
      return SettingValue(
        text: LocaleClock.hasTwelveHours(in: locale) ? "12" : "24", origin: "$\(variable)")
    }
    return SettingValue(text: "24", origin: "default")
  }
}
