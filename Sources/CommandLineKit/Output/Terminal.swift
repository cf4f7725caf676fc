import SystemLibraries

/// The capabilities of an output: whether it is a terminal, its size and its colours.
///
///     let terminal = Terminal(descriptor: 1, environment: .process, color: .auto)
///     try output.write(terminal.styled("overdue", .red))
package struct Terminal: Hashable, Sendable {
  /// When to use colour, the value of `--color`.
  package enum ColorChoice: String, Sendable {
    /// On a terminal that supports it, unless `NO_COLOR` is set.
    case auto
    /// Always, even into a pipe.
    case always
    /// Never.
    case never
  }

  /// Whether it is a terminal; otherwise it is a pipe or a file.
  package let isTerminal: Bool
  /// The width in characters; 80 if unknown.
  package let columns: Int
  /// The height in lines; `nil` if unknown.
  package let rows: Int?
  /// Whether to use colour.
  package let usesColor: Bool
  /// Whether pictures made of characters are shown; a dumb terminal, such as one for a screen
  /// reader, gets words instead.
  package let showsPictures: Bool
  /// Whether it has 256 colours rather than 16.
  package let hasManyColors: Bool

  /// Creates a terminal with given capabilities, for tests.
  package init(
    isTerminal: Bool, columns: Int = 80, rows: Int? = nil, usesColor: Bool = false,
    showsPictures: Bool = true, hasManyColors: Bool = false
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.rows = rows
    self.usesColor = usesColor
    self.showsPictures = showsPictures
    self.hasManyColors = hasManyColors
  }

  /// No terminal is wider.
  private static let mostColumns = 4_096

  /// Detects the capabilities of a file descriptor.
  package init(descriptor: Int32, environment: Environment, color: ColorChoice) {
    let isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let isSized = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let told = isSized ? Int(size.ws_col) : 0
    let asked = min(environment["COLUMNS"].flatMap { Int($0) } ?? 0, Self.mostColumns)
    self.init(
      isTerminal: isTerminal,
      columns: [told, asked].first { $0 > 0 } ?? 80,
      rows: isSized && size.ws_row > 0 ? Int(size.ws_row) : nil,
      usesColor: Self.usesColor(color, isTerminal: isTerminal, environment: environment),
      showsPictures: environment["TERM"] != "dumb",
      hasManyColors: ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
        || environment["TERM"]?.hasSuffix("256color") == true)
  }

  /// Whether to use colour: `--color` takes precedence, then `NO_COLOR` and a `TERM` of `dumb`
  /// disable it.
  package static func usesColor(
    _ choice: ColorChoice, isTerminal: Bool, environment: Environment
  ) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && environment.nonEmpty("NO_COLOR") == nil && environment["TERM"] != "dumb"
    }
  }

  /// The text in one of 256 colours if colour is used and there are as many; otherwise in a style.
  package func styled(_ text: String, color: Int, else style: TextStyle) -> String {
    guard usesColor, hasManyColors, !text.isEmpty else { return styled(text, style) }
    return "\u{1B}[38;5;\(color)m\(text)\u{1B}[0m"
  }

  /// The text in a style if colour is used; otherwise unchanged.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
