import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Syncs of several processes at once, each of which needs the store that another one begins with.
@Suite struct `Syncs at once` {
  private let prompt: Prompt

  init() throws { prompt = try Prompt() }

  /// Stores in a ring, each synced with the next one at the same time, in rounds; then one after
  /// the other.
  ///
  /// It prints a line for each sync that does not end with 0, and for each store whose content
  /// differs from the first one's; and how many walks each has.
  ///
  /// - Parameters:
  ///   - own: the name of store `$n` for the process that syncs it.
  ///   - other: its name for a process that syncs with it.
  private func ring(
    of stores: [String], own: String, other: String, _ preparation: String = ""
  ) -> String {
    let (first, rest) = (stores[0], stores.dropFirst())
    return """
      own() { n=$1; echo \(own); }
      other() { n=$1; echo \(other); }
      sync() {
        dogwalk --store "$(own "$1")" sync "$(other "$2")" -q 2> "errors-$1" && return
        echo "$1 with $2: $?, $(cat "errors-$1")"
      }
      around() {
        before=\(first)
        for next in \(rest.joined(separator: " ")) \(first); do
          "$@" "$before" "$next"
          before=$next
        done
        wait
      }
      at_once() { sync "$1" "$2" & }
      for n in \(stores.joined(separator: " ")); do mkdir "$n"; ln -s "$n" "link-$n"; done
      \(preparation)
      for round in 1 2 3 4 5 6; do
        for n in \(stores.joined(separator: " ")); do
          dogwalk --store "$(own "$n")" add Fido "${round}m" yesterday "$round:00" --note "$n" -q
        done
        around at_once
      done
      around sync
      around sync
      for n in \(stores.joined(separator: " ")); do
        dogwalk --store "$(own "$n")" list | cut -f2- | sort > "walks-$n"
        cmp "walks-\(first)" "walks-$n"
        wc -l < "walks-$n" | tr -d ' '
      done
      """
  }

  @Test(arguments: [["a", "b"], ["b", "a"], ["a", "b", "c"], ["d", "b", "a", "c"]])
  func `in a ring all complete, and nothing is lost`(_ stores: [String]) throws {
    let script = ring(of: stores, own: "$n/walks.sqlite", other: "$n/walks.sqlite")
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    let count = "\(6 * stores.count)\n"
    #expect(answer == .init(output: String(repeating: count, count: stores.count)), "\(answer)")
  }

  @Test func `recognize the stores under any paths`() throws {
    let script = ring(
      of: ["a", "b"], own: "$n/../link-$n/walks.sqlite", other: "file-$n",
      "ln -s link-a/walks.sqlite file-a; ln -s \"$PWD/b/walks.sqlite\" file-b")
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    #expect(answer == .init(output: "12\n12\n"), "\(answer)")
  }

  @Test func `in one folder take turns`() throws {
    let script = ring(of: ["a", "b", "c"], own: "$n.sqlite", other: "link-$n/../$n.sqlite")
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    #expect(answer == .init(output: "18\n18\n18\n"), "\(answer)")
  }

  @Test func `with a missing store create it once`() throws {
    let script = """
      mkdir shared
      for n in 1 2 3 4 5; do
        for own in a b; do
          dogwalk --store $own.sqlite add Fido "${n}m" yesterday "$n:00" -q
          dogwalk --store $own.sqlite sync shared/$n.sqlite -q || echo "$n with $own: $?" &
        done
        wait
        dogwalk --store shared/$n.sqlite list | wc -l | tr -d ' '
      done
      """
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    #expect(answer == .init(output: "2\n4\n6\n8\n10\n"), "\(answer)")
  }

  @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"), arguments: 0..<2)
  func `on a server take turns`(_ first: Int) throws {
    let urls = try ["one", "two"].map {
      try #require(TestServer.store(for: prompt.home.path + $0))
    }
    try expectTurns(of: urls[first], urls[1 - first], named: urls[first], urls[1 - first])
  }

  @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
  func `of one UUID on a server take turns, under any URLs`() throws {
    let server = try #require(TestServer.url)
    let (one, two) = (
      try #require(TestServer.store(for: prompt.home.path + "one")),
      try #require(TestServer.store(for: prompt.home.path + "two"))
    )
    let schemas = [one, two].map { String($0.split(separator: "=").last ?? "") }
    let others = [one, two].map { $0.replacing("postgres:", with: "postgresql:") }
    let script = """
      dogwalk --store '\(one)' add Fido 1m yesterday 8:00 -q
      dogwalk --store '\(two)' add Fido 1m yesterday 8:30 -q
      psql '\(server)' -qc 'UPDATE \(schemas[0]).z_metadata
        SET z_uuid = (SELECT z_uuid FROM \(schemas[1]).z_metadata)'
      """
    let made = try ProgramProcess(script: script, in: prompt).answer()
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    try expectTurns(of: one, two, named: others[0], others[1], walks: 2)
  }

  /// Adds a walk to each of two stores and syncs both at once, in both directions, six times: then
  /// both have all walks.
  ///
  /// - Parameters:
  ///   - oneName: the name of the first where it is synced with the second.
  ///   - otherName: the name of the second likewise.
  ///   - walks: how many there are already.
  private func expectTurns(
    of one: String, _ other: String, named oneName: String, _ otherName: String, walks: Int = 0
  ) throws {
    let script = """
      sync() { dogwalk --store "$1" sync "$2" -q || echo "$1 with $2: $?"; }
      for n in 1 2 3 4 5 6; do
        dogwalk --store '\(one)' add Fido "${n}m" yesterday "$n:00" -q
        dogwalk --store '\(other)' add Fido "${n}m" yesterday "$n:30" -q
        sync '\(oneName)' '\(other)' &
        sync '\(otherName)' '\(one)' &
        wait
        dogwalk --store '\(one)' list | wc -l | tr -d ' '
        dogwalk --store '\(other)' list | wc -l | tr -d ' '
      done
      """
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    let counts = (1...6).map { "\(2 * $0 + walks)\n\(2 * $0 + walks)\n" }.joined()
    #expect(answer == .init(output: counts), "\(answer)")
  }
}
