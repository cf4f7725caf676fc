import Testing

@testable import CommandLineKit

@Suite struct `Help` {
  func help(_ names: String...) throws -> String {
    HelpText(for: try CommandSearch.path(to: names, below: .sample)).text
  }

  @Test func `begins with examples and shows every option`() throws {
    #expect(
      try help("add") == """
        Examples:
          dogwalk add Fido 35m                35 minutes that end now
          dogwalk add Fido Rex 1h15 mon 7:30  two dogs, one hour and a quarter

        Usage: dogwalk add [WORDS…] [options]

        Add a walk.

        Arguments:
          [WORDS…]  dogs, a duration, a time

        Options:
          -d, --dog NAME   whose walk it is (repeatable)
          -n, --note TEXT  what there is to say
              --pee[=N]    how often
              --new        insist on a new dog's name

        Everywhere:
              --store PATH  use this store file instead of the usual one
              --color WHEN  auto, always or never
          -q, --quiet       do not print what was done
              --version     show the version
          -h, --help        show this help

        """)
  }

  @Test func `lists the subcommands`() throws {
    let text = try help("dogs")
    #expect(text.contains("Usage: dogwalk dogs [options]\n       dogwalk dogs rename …\n"))
    #expect(text.contains("\nCommands:\n  rename  give a dog another name\n"))
  }

  @Test(arguments: [(200, 80), (80, 80), (48, 48), (10, 40)])
  func `fits into the terminal and 80 columns however long its texts are`(
    columns: Int, most: Int
  ) {
    let long = String(repeating: "many words ", count: 30)
    let specification = CommandSpecification(
      name: "dogwalk", abstract: long,
      examples: [.init("dogwalk add Fido Rex 1h15 mon 7:30", long)],
      arguments: [Argument("WORDS", help: long)],
      options: [Option("option", value: .required("VALUE"), help: long)], discussion: [long])
    let text = HelpText(for: CommandPath(root: specification), columns: columns).text
    let lines = text.split(separator: "\n")
    #expect(lines.count > 20)
    #expect(
      lines.map { String($0).displayWidth }.max().map { (most - 11...most).contains($0) } == true)
  }
}
