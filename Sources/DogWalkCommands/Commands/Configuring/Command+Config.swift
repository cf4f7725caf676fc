import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

extension Option {
  /// `--unset`: removes a setting from the file.
  fileprivate static let unset = flag(
    "unset", help: "remove a setting, so that the default applies")
}

extension Command {
  /// `dogwalk config`: shows and changes the settings.
  static let config = Command(
    CommandSpecification(
      abstract: "Show the settings and where each comes from, or change one.",
      examples: [
        .init("dogwalk config", "all settings"),
        .init("dogwalk config by Ana", "Ana walks, unless --by says otherwise"),
        .init("dogwalk config clock 12", "7:30 pm instead of 19:30"),
        .init("dogwalk config --unset by", "no walker by default"),
      ],
      arguments: [
        Argument(
          "KEY", help: "the setting", isRequired: false,
          completion: .choices(Setting.allCases.map(\.rawValue))),
        Argument("VALUE", help: "its new value", isRequired: false, completion: .settingValues),
      ],
      options: [.unset, .json],
      surplusHint: "Write dogwalk config by Ana, or with spaces dogwalk config by 'Ana Lee'.",
      discussion: [
        "clock is 12 or 24, week-start mon or sun, units km or mi, by the name of a walker, and "
          + "store the path of a file or the URL of a server, as in "
          + "postgres://ana@db.example/walks.",
        "They are kept in $XDG_CONFIG_HOME/dogwalk/config, else in "
          + "~/.config/dogwalk/config, one on each line: by = Ana. The variables "
          + "$DOGWALK_CLOCK, $DOGWALK_WEEK_START, $DOGWALK_UNITS, $DOGWALK_BY and "
          + "$DOGWALK_STORE take precedence over the file, and options over both. If "
          + "nothing sets the clock, $LC_ALL, $LC_TIME or $LANG decides how a terminal "
          + "shows it.",
        "To share a log with other users of a machine, make a folder for a group, and "
          + "put the store there: mkdir -m 2770 /srv/dogs; chgrp walkers /srv/dogs; dogwalk "
          + "config store /srv/dogs/walks.sqlite. All members of the group can then read "
          + "and write it.",
        "by is also the author of each command, as dogwalk history shows it; if it is "
          + "not set, the author is the system's user.",
      ]),
    isReading: true
  ) { run in
    let operands = run.values.operands
    guard let typed = operands.first else {
      if run.values.contains(.unset) {
        throw ValidationError(
          "--unset needs a setting", hint: "Write it after that, as in dogwalk config --unset by.")
      }
      return try SettingList(run).write()
    }
    guard let setting = Setting(rawValue: typed.lowercased()) else {
      let keys = Setting.allCases.map(\.rawValue)
      let mark = typed.firstIndex(of: "=") ?? typed.endIndex
      let hint =
        Setting(rawValue: typed[..<mark].lowercased()).map { setting in
          let value = String(typed[mark...].dropFirst())
          return value.isEmpty
            ? "Write dogwalk config --unset \(setting.rawValue)."
            : "Write dogwalk config \(setting.rawValue) \(value.shellWord)."
        } ?? Self.hint(aboutVerb: typed, before: operands.dropFirst().first)
        ?? nearest(to: typed, among: keys).map { "Did you mean \($0)?" }
        ?? "There are \(sentenceList(keys))."
      throw ValidationError("there is no setting \(ValidationError.quoted(typed))", hint: hint)
    }
    if run.values.contains(.unset) {
      guard operands.count == 1 else {
        throw ValidationError("--unset takes no value", hint: "Leave the value out.")
      }
      try run.unset(setting)
    } else if operands.count == 2 {
      try run.set(setting, to: operands[1])
    } else if run.values.contains(.json) {
      try SettingList(run, only: setting).write()
    } else {
      try run.show(setting)
    }
  }
}

extension Command {
  /// Returns the hint for `config list`, `config get by` and `config unset by`.
  private static func hint(aboutVerb word: String, before next: String?) -> String? {
    let setting = next.flatMap { Setting(rawValue: $0.lowercased()) }
    switch word.lowercased() {
    case "get", "set":
      return "Leave it out, as in dogwalk config \(setting?.rawValue ?? "by")."
    case "unset", "reset", "remove", "delete":
      return "Write dogwalk config --unset \(setting?.rawValue ?? "by")."
    default:
      return CommandRun.isWordForShowing(word) ? "Leave it out: dogwalk config" : nil
    }
  }
}

extension CommandRun {
  fileprivate func set(_ setting: Setting, to typed: String) throws {
    guard !typed.isEmpty else {
      throw ValidationError(
        "\(setting.rawValue) cannot be empty",
        hint: "To forget it: dogwalk config --unset \(setting.rawValue)")
    }
    var value = try setting.checked(typed)
    if setting == .store { value = try storeToKeep(value) }
    guard ConfigurationFile.keeps(value) else {
      throw ValidationError(
        "\(setting.rawValue) cannot be \(ValidationError.quoted(typed))",
        hint: "A value cannot begin or end with white space.")
    }
    let path = try writableConfiguration()
    try keep(setting, value, at: path)
    try answer(
      "Set \(setting.rawValue) to \(value.escapingControls), in \(shownPath(path)).", about: setting
    )
  }

  /// Returns a store's location as stored in the settings file: an absolute path or a server's URL.
  ///
  /// - Throws: `ValidationError` if it contains a password, which other people could read;
  ///   `StoreLocation.Failure` if it is another kind of URL.
  private func storeToKeep(_ typed: String) throws -> String {
    let text = try StoreLocation.checked(typed)
    guard StoreLocation.isServer(text) else {
      return StoreLocation.fileURL(of: text) { environment[$0] }.path
    }
    guard StoreLocation.shown(text) == text else {
      throw ValidationError(
        "the store's URL cannot be kept with a password",
        hint: "Passwords belong in ~/.pgpass: HOST:5432:DATABASE:USER:PASSWORD")
    }
    return text
  }

  fileprivate func unset(_ setting: Setting) throws {
    let path = try writableConfiguration()
    guard let entry = try configurationFile()?[setting] else {
      throw Complaint(
        .no, "\(setting.rawValue) is not set in \(shownPath(path))",
        hint: "dogwalk config shows all settings.")
    }
    try keep(setting, nil, at: path)
    let old = StoreLocation.shown(entry.value).escapingControls
    try answer("Unset \(setting.rawValue), which was \(old).", about: setting)
  }

  /// Prints what was done to a setting, or with `--json` its new value.
  private func answer(_ text: String, about setting: Setting) throws {
    if values.contains(.json) {
      try SettingList(self, only: setting).write()
    } else {
      try say(text)
    }
    try noteVariable(of: setting)
  }

  fileprivate func show(_ setting: Setting) throws {
    guard let value = try SettingList.value(of: setting, self) else {
      throw Complaint(
        .no, "\(setting.rawValue) is not set",
        hint: "Set it: dogwalk config \(setting.rawValue) Ana")
    }
    try output.writeLine(value.text.escapingControls)
  }

  private func writableConfiguration() throws -> String {
    guard let path = ConfigurationFile.path(environment) else {
      throw Complaint(
        .configuration, "there is no folder for settings: HOME is not set",
        hint: "Set it, or XDG_CONFIG_HOME.")
    }
    return path
  }

  private func noteVariable(of setting: Setting) throws {
    guard let other = environment.nonEmpty(setting.variable) else { return }
    let shown = StoreLocation.shown(other).escapingControls
    try note("Note: \(setting.variable) is set, and takes precedence: \(shown).")
  }
}

/// The settings as `dogwalk config` shows them.
private struct SettingList {
  private let rows: [(setting: Setting, value: SettingValue?)]
  private let run: CommandRun
  private var wrong: [String] = []

  init(_ run: CommandRun, only setting: Setting? = nil) throws {
    self.run = run
    var rows: [(setting: Setting, value: SettingValue?)] = []
    for setting in setting.map({ [$0] }) ?? Setting.allCases {
      do {
        rows.append((setting, try Self.value(of: setting, run)))
      } catch let complaint as Complaint where complaint.exitCode == .configuration {
        // Invalid values are reported rather than thrown, so that people can correct them.
        wrong.append(complaint.reason ?? "")
      }
    }
    self.rows = rows
  }

  /// Returns the value of a setting, the default if it is not set.
  static func value(of setting: Setting, _ run: CommandRun) throws -> SettingValue? {
    if setting == .store {
      if let path = run.values[.store] {
        return SettingValue(text: StoreLocation.shown(path), origin: "--store")
      }
      if let value = try run.setting(.store) {
        return SettingValue(text: StoreLocation.shown(value.text), origin: value.origin)
      }
      let url = try? StoreLocation.url(named: nil) { run.environment[$0] }
      return url.map { SettingValue(text: $0.path, origin: "default") }
    }
    if let value = try run.setting(setting) { return value }
    switch setting {
    case .clock: return run.localeClock
    case .weekStart: return SettingValue(text: "mon", origin: "default")
    case .units: return SettingValue(text: "km", origin: "default")
    case .by, .store: return nil
    }
  }

  func write() throws {
    if run.values.contains(.json) {
      try writeJSON()
    } else if run.terminal.isTerminal {
      var table = TextTable(alignments: [.left, .left, .left])
      for (setting, value) in rows {
        table.append([
          setting.rawValue, value.map { run.shownPath($0.text) } ?? "", value?.origin ?? "not set",
        ])
      }
      for line in table.wrappedLines(width: run.terminal.columns) {
        try run.output.writeLine(line)
      }
    } else {
      for (setting, value) in rows {
        try run.output.writeLine(
          "\(setting.rawValue)\t\(value?.text.tabSeparatedField ?? "")\t\(value?.origin.tabSeparatedField ?? "")"
        )
      }
    }
    try noteFile()
  }

  private func writeJSON() throws {
    try run.writeDocument("settings", of: rows) { json, row in
      json.member("key", row.setting.rawValue)
      json.member("value", row.value?.text)
      json.member("origin", row.value?.origin)
    }
  }

  /// Prints notes about invalid values and unknown settings in the file.
  private func noteFile() throws {
    for reason in wrong { try run.note("Note: \(reason)") }
    guard let file = try run.configurationFile() else { return }
    let path = run.shownPath(file.path)
    for entry in file.entries where Setting(rawValue: entry.key) == nil {
      try run.note(
        "Note: line \(entry.line) of \(path): there is no setting "
          + "\(ValidationError.quoted(entry.key)); the line is ignored.")
    }
    for line in file.unreadableLines {
      try run.note("Note: line \(line) of \(path) is not a setting, as in by = Ana.")
    }
  }
}

@available(*, unavailable)
extension SettingList: Sendable {}
