import CommandLineKit
import DataFormats
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A report` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    for words in [
      ["Fido", "35m", "7:30"], ["Fido", "50m", "yesterday", "8:00"], ["Fido", "fri", "18:00"],
      ["--dog", "Rex", "1h", "2026-11-01", "9:00"], ["Rex", "1h30", "2025-12-31", "9:00"],
    ] { #expect(prompt.run(["add"] + words).code == 0) }
    _ = prompt.run("dogs", "set", "Fido", "--target", "45m")
  }

  /// The rows of a report as lines of CSV, without the header.
  func rows(_ words: String...) -> [String] {
    let output = prompt.run(["report", "--csv"] + words).output
    return output.split(separator: "\r\n").dropFirst().map(String.init)
  }

  @Test func `counts each day of each dog, by default the last seven`() {
    let rows = rows()
    #expect(rows.count == 14)
    #expect(rows.first == "Fido,2026-11-15,2026-11-15,0,0,45,")
    #expect(rows[5] == "Fido,2026-11-20,2026-11-20,2,50,45,")
    #expect(rows[6] == "Fido,2026-11-21,2026-11-21,1,35,45,")
    #expect(rows.last == "Rex,2026-11-21,2026-11-21,0,0,,")
  }

  @Test func `counts weeks from their first day, as far as they are in the period`() {
    #expect(
      rows("--dog", "Fido", "--by-week", "--since", "2026-11-14") == [
        "Fido,2026-11-14,2026-11-15,0,0,90,", "Fido,2026-11-16,2026-11-21,3,85,270,",
      ])
    #expect(
      rows("--dog", "Fido", "--by-week", "--since", "2026-11-14", "--week-start", "sun") == [
        "Fido,2026-11-14,2026-11-14,0,0,45,", "Fido,2026-11-15,2026-11-21,3,85,315,",
      ])
  }

  @Test func `begins with the oldest walk where no other day is given`() {
    let rows = rows("--dog", "Rex", "--by-month", "--until", "today")
    #expect(rows.count == 12)
    #expect(rows.first == "Rex,2025-12-31,2025-12-31,1,90,,")
    #expect(rows.last == "Rex,2026-11-01,2026-11-21,1,60,,")
  }

  @Test func `shows no future days, except those with walks`() {
    #expect(rows("--dog", "Rex", "--month").count == 21)
    // In Auckland it is tomorrow already.
    _ = prompt.run("add", "--dog", "Rex", "5m", "2026-11-22T07:50+13:00")
    #expect(rows("--dog", "Rex", "--month").last == "Rex,2026-11-22,2026-11-22,1,5,,")
    #expect(rows("--dog", "Rex", "--since", "2026-11-20").count == 3)
  }

  @Test(arguments: [80, 40, 30])
  func `fits the terminal`(columns: Int) {
    prompt.terminal = Terminal(isTerminal: true, columns: columns)
    for words in [["report"], ["report", "--by-week", "--month"], ["report", "--by-month"]] {
      let output = prompt.run(words + ["--no-pager"]).output
      #expect(!output.isEmpty)
      for line in output.split(separator: "\n") {
        #expect(String(line).displayWidth <= columns, "\(line)")
      }
    }
  }

  @Test(arguments: [
    ["--by-day", "--by-week"], ["--json", "--csv"], ["--svg", "x.svg", "--json"], ["--svg="],
    ["--html="],
    ["--html", "x.html", "--svg", "x.svg"], ["--calendar", "--by-week"],
    ["--calendar", "--svg", "x.svg"],
    ["--today", "--week"], ["--last-month", "--year"], ["--by-walker", "--by-tag"], ["--year=25"],
    ["18:00"], ["mon", "tue"], ["today", "--week"],
  ])
  func `refuses two of a kind`(words: [String]) {
    #expect(prompt.run(["report"] + words).code == 64)
  }

  @Test func `draws a picture in XML, with a bar for each day`() throws {
    _ = prompt.run("add", "--dog", "<Max & \"Moritz\">", "5m")
    let file = prompt.file("walks.svg")
    let answer = prompt.run("report", "--svg", file.path)
    #expect(answer.output == "Wrote \(file.path).\n")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.count(of: "</title></rect>") == 21)
    #expect(text.contains("&lt;Max &amp; \"Moritz\"&gt;"))
    #expect(prompt.run("report", "--svg", "-").output == text)
  }

  @Test func `draws forty dogs on one scale, none of them twice`() throws {
    for number in 1...40 {
      _ = prompt.run("add", "--dog", "Dog \(number)", "\(number)m", "--new")
    }
    let text = prompt.run("report", "--svg", "-").output
    for number in 1...40 { #expect(text.count(of: ">Dog \(number)</text>") == 1) }
    // The longest bar reaches 1 h at most, in every panel.
    #expect(text.count(of: ">1 h</text>") == 42)
    var xml = XMLScanner(Array(text.utf8))
    while try xml.next() != nil {}
  }

  @Test func `writes a self-contained page, and escapes markup in texts`() throws {
    _ = prompt.run(
      "add", "--dog", "<Max & \"Moritz\">", "5m", "--note", "</td><script>alert(1)</script>")
    let file = prompt.file("walks.html")
    let answer = prompt.run("report", "--html", file.path)
    #expect(answer == Prompt.Answer(output: "Wrote \(file.path).\n"))
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.count(of: "<script>") == 1)
    #expect(text.contains("&lt;/td&gt;&lt;script&gt;alert(1)"))
    #expect(text.contains("Calendar of &lt;Max &amp; &quot;Moritz&quot;&gt;"))
    for link in ["http:", "https:", "src=", "href=", "url(", "@import"] {
      #expect(!text.contains(link), "\(link)")
    }
    #expect(text.contains("default-src 'none'"))
    #expect(prompt.run("report", "--html", "-").output == text)
  }

  @Test func `has room for a complete calendar legend`() throws {
    _ = prompt.run("dogs", "set", "Fido", "--target", "60m")
    let page = prompt.run("report", "--html", "-", "--month", "--dog", "Fido").output
    let pictures = page.components(separatedBy: "<svg ")
    let picture = try #require(pictures.first(where: { $0.contains("Calendar of Fido") }))
    func number(behind mark: String, in text: String) throws -> Int {
      let parts = text.components(separatedBy: mark)
      return try #require(Int(parts[parts.count - 1].prefix(while: \.isNumber)))
    }
    let last = "from 1 h 30 min"
    let parts = picture.components(separatedBy: last)
    try #require(parts.count == 2)
    let head = picture.components(separatedBy: ">")[0]
    // A letter is about 5 wide.
    let end = try number(behind: " x=\"", in: parts[0]) + last.count * 5
    #expect(try number(behind: " width=\"", in: head) >= end)
  }

  @Test func `writes the picture completely or not at all`() throws {
    let folder = prompt.file("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(prompt.run("report", "--svg", folder.path).code == 73)
    #expect(prompt.run("report", "--svg", prompt.file("no/walks.svg").path).code == 73)
    let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
    #expect(names.filter { $0.contains(".draft-") } == [])
  }

  @Test func `reports where there is nothing to show`() throws {
    let answer = prompt.run("report", "--month=2024-01")
    #expect(
      answer == Prompt.Answer(errors: "No walks in 2024-01. See all: dogwalk list\n"))
    let empty = try Prompt().run("report", "--json")
    #expect(empty.output.hasSuffix("\"rows\": []}\n"))
    #expect(empty.code == 0)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
