import Testing

@testable import CommandLineKit

@Suite struct `Escaped text` {
  @Test(arguments: [
    ("Fido", "Fido"), ("a\tb", #"a\tb"#), ("a\nb\r", #"a\nb\r"#), ("\u{1B}[31m", #"\x1b[31m"#),
    ("\u{0}\u{7F}\u{9B}", #"\x00\x7f\x9b"#), ("a\u{202E}b", #"a\u202eb"#), (#"a\b"#, #"a\b"#),
    ("Zoë 👩‍👩‍👧 犬", "Zoë 👩‍👩‍👧 犬"), ("a\r\nb", #"a\r\nb"#),
  ])
  func `shows control characters`(text: String, expected: String) {
    #expect(text.escapingControls == expected)
  }

  @Test func `doubles backslashes between tabs`() {
    #expect("a\\b\tc\nd".tabSeparatedField == #"a\\b\tc\nd"#)
  }
}

@Suite struct `The width of text` {
  @Test(arguments: [
    ("", 0), ("Fido", 4), ("Zoë", 3), ("Zoe\u{308}", 3), ("犬", 2), ("ポチ", 4), ("ﾎﾟﾁ", 3),
    ("🐶", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{200D}", 1), ("\u{200B}", 0), ("Ａ", 2), ("½", 1),
    ("🫠", 2), ("नि", 1),
  ])
  func `is what a terminal shows`(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test(arguments: [
    ("a long walk", 6, ["a long", "walk"]), ("a", 1, ["a"]), ("", 5, []),
    ("see www.example.org now", 8, ["see", "www.exam", "ple.org", "now"]),
    ("犬犬犬犬", 5, ["犬犬", "犬犬"]), ("犬犬", 1, ["犬", "犬"]), ("abc de", 4, ["abc", "de"]),
  ])
  func `is respected when wrapping between words, and within a word that is wider`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test func `is counted in columns when padding and truncating`() {
    #expect("犬".padded(to: 4) == "犬  ")
    #expect("犬".paddedLeft(to: 4) == "  犬")
    #expect("犬犬犬".truncated(to: 4) == "犬…")
    #expect("Fido".truncated(to: 4) == "Fido")
    #expect("Fido".truncated(to: 0) == "")
  }

  @Test func `lines up the columns of a table`() {
    var table = TextTable(alignments: [.right, .left, .left, .left])
    table.append(["3", "Fido", "", "rain"])
    table.append(["12", "犬", "", ""])
    #expect(table.lines(width: 80) == [" 3  Fido  rain", "12  犬"])
    #expect(table.lines(width: 12) == [" 3  Fido  r…", "12  犬"])
  }

  @Test func `truncates no row of a table whose rows may wrap`() {
    var table = TextTable(alignments: [.left, .right, .left])
    table.append(["clock", "24", "default"])
    table.append(["store", "/srv/dogs/walks.sqlite", "$DOGWALK_STORE"])
    #expect(table.wrappedLines(width: 80) == table.lines(width: 80))
    #expect(
      table.wrappedLines(width: 30) == [
        "clock  24  default", "store  /srv/dogs/walks.sqlite", "       $DOGWALK_STORE",
      ])
    #expect(
      table.wrappedLines(width: 20) == [
        "clock", "  24  default", "store", "  /srv/dogs/walks.sq", "  lite", "  $DOGWALK_STORE",
      ])
  }

  @Test func `wraps the last column of a table where its words fit`() {
    var table = TextTable(alignments: [.left, .right, .left])
    table.append(["Fido", "35 min", "by Ana; rain all the time"])
    table.append(["Rex", "5 min", ""])
    #expect(
      table.wrappedLines(width: 34) == [
        "Fido  35 min  by Ana; rain all the", "              time", "Rex    5 min",
      ])
    #expect(
      table.wrappedLines(width: 33) == [
        "Fido  35 min", "      by Ana; rain all the time", "Rex   5 min",
      ])
  }

  @Test func `wraps no column of a table if that would break a word`() {
    var table = TextTable(alignments: [.left, .left, .left])
    table.append(["store", "/srv/dogs", "~/.config/dogwalk/config"])
    #expect(
      table.wrappedLines(width: 38) == [
        "store  /srv/dogs", "       ~/.config/dogwalk/config",
      ])
  }
}

@Suite struct `A shell word` {
  @Test(arguments: [
    ("Fido", "Fido"), ("Old Shep", "'Old Shep'"), ("O'Neil", #"'O'\''Neil'"#), ("ポチ", "ポチ"),
    ("", "''"), ("a$b", "'a$b'"), ("Max-2", "Max-2"),
    ("a\nb", #"$'a\nb'"#), ("it's\t\\", #"$'it\'s\t\\'"#), ("\u{1B}[31m", #"$'\x1b[31m'"#),
  ])
  func `is quoted where necessary`(text: String, word: String) {
    #expect(text.shellWord == word)
  }
}

@Suite struct `A terminal` {
  @Test(arguments: [
    ("auto", true, [:], true), ("auto", false, [:], false),
    ("auto", true, ["NO_COLOR": "1"], false), ("auto", true, ["NO_COLOR": ""], true),
    ("auto", true, ["TERM": "dumb"], false), ("always", false, ["NO_COLOR": "1"], true),
    ("never", true, [:], false),
  ])
  func `uses colour according to the rules`(
    choice: String, isTerminal: Bool, variables: [String: String], expected: Bool
  ) throws {
    let choice = try #require(Terminal.ColorChoice(rawValue: choice))
    #expect(
      Terminal.usesColor(choice, isTerminal: isTerminal, environment: Environment(variables))
        == expected)
  }

  @Test func `is not detected on a closed descriptor, and takes its width from COLUMNS`() {
    let terminal = Terminal(
      descriptor: -1, environment: Environment(["COLUMNS": "132"]), color: .auto)
    #expect(terminal == Terminal(isTerminal: false, columns: 132))
  }

  @Test func `styles text only where colour is on`() {
    #expect(Terminal(isTerminal: true).styled("late", .red) == "late")
    #expect(
      Terminal(isTerminal: true, usesColor: true).styled("late", .red) == "\u{1B}[31mlate\u{1B}[0m")
  }
}
