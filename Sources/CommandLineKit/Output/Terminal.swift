import SystemLibraries

/// What is known about the far end of an output: whether a person sees it, its size, its colours.
///
///     let terminal = Terminal(descriptor: 1, environment: .process, color: .auto)
///     try output.write(terminal.styled("overdue", .red))
package struct Terminal: Hashable, Sendable {
  /// When to use colour, as `--color` says.
  package enum ColorChoice: String, Sendable {
    /// On a terminal that can show it, unless `NO_COLOR` is set.
    case auto
    /// Even into a pipe.
    case always
    /// Not at all.
    case never
  }

  /// Whether a person sees it; otherwise it is a pipe or a file.
  package let isTerminal: Bool
  /// Its width in characters; 80 where that cannot be known.
  package let columns: Int
  /// Its height in lines; `nil` where that cannot be known.
  package let rows: Int?
  /// Whether to use colour.
  package let usesColor: Bool
  /// Whether it shows pictures made of characters; one that is dumb, as for a screen reader, has
  /// words read out instead.
  package let showsPictures: Bool
  /// Whether it has 256 colours instead of 16.
  package let hasManyColors: Bool

  /// A terminal of which everything is said, for tests.
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

  /// Finds out what a file descriptor leads to.
  package init(descriptor: Int32, environment: Environment, color: ColorChoice) {
    let isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let isSized = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let told = isSized ? Int(size.ws_col) : 0
    let asked = environment["COLUMNS"].flatMap { Int($0) } ?? 0
    self.init(
      isTerminal: isTerminal,
      columns: [told, asked].first { $0 > 0 } ?? 80,
      rows: isSized && size.ws_row > 0 ? Int(size.ws_row) : nil,
      usesColor: Self.usesColor(color, isTerminal: isTerminal, environment: environment),
      showsPictures: environment["TERM"] != "dumb",
      hasManyColors: ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
        || environment["TERM"]?.hasSuffix("256color") == true)
  }

  /// Whether to use colour: `--color` decides, then `NO_COLOR` and a `TERM` of `dumb` forbid it.
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

  /// The text in one of 256 colours where colour is used and there are as many, else in a style.
  package func styled(_ text: String, color: Int, else style: TextStyle) -> String {
    guard usesColor, hasManyColors, !text.isEmpty else { return styled(text, style) }
    return "\u{1B}[38;5;\(color)m\(text)\u{1B}[0m"
  }

  /// The text in a style where colour is used, else as it is.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
