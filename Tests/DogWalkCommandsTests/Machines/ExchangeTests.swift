import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Walks that are exported and imported again.
@Suite struct `Export and import` {
  private let notes = [
    "plain", "rain, \"cats\"; and\na second line\n", "tab\tand \\ backslash", " spaces ", "ポチ 🐶",
    "=1+1", "'", "a\n\nb", String(repeating: "über ", count: 300),
  ]

  private func filled() throws -> Prompt {
    let prompt = try Prompt()
    for (number, note) in notes.enumerated() {
      #expect(
        prompt.run(
          "add", "--dog", number % 2 == 0 ? "Fido" : "Rex", "\(number + 5)m", "yesterday",
          "\(number + 7):15",
          "--note", note, "--by", "Ana, B.", "--distance", "2.4km", "--pee=2"
        ).code == 0)
    }
    _ = prompt.run("add", "Fido", "--at", "2h ago")
    return prompt
  }

  @Test(arguments: ["json", "csv"])
  func `transfer every walk unchanged`(format: String) throws {
    let prompt = try filled()
    let file = prompt.file("walks.\(format)").path
    #expect(prompt.run("export", "-o", file).code == 0)
    let before = prompt.run("list", "--csv", "--reverse").output
    #expect(prompt.run("import", file).output == "Nothing new: all 10 walks already exist.\n")
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    #expect(prompt.run("import", file).code == 0)
    #expect(prompt.run("import", file).output == "Nothing new: all 10 walks already exist.\n")
    func withoutNumbers(_ csv: String) -> [Substring] {
      csv.split(separator: "\r\n").map { $0.drop { $0 != "," } }
    }
    #expect(
      withoutNumbers(prompt.run("list", "--csv", "--reverse").output) == withoutNumbers(before))
  }

  @Test func `change what a file says about a walk, and nothing else`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m", "yesterday", "18:00", "--note", "rain", "--by", "Ana")
    let file = prompt.file("walks.csv")
    let uuid = try #require(
      prompt.run("list", "--csv").output.split(separator: ",").first { $0.utf8.count == 36 })
    try Data(
      "uuid,dog,start,minutes,by\n\(uuid),Fido,2026-11-20T18:00:00+01:00,40,\n".utf8
    ).write(to: file)
    #expect(prompt.run("import", file.path).output.hasPrefix("Imported 1 walk: 0 new, 1 changed"))
    let line = prompt.run("list", "--csv").output.split(separator: "\r\n").last ?? ""
    #expect(line.hasSuffix(",40,,rain,,,,0,"))
    #expect(prompt.run("undo").code == 0)
    #expect(prompt.run("list", "--csv").output.contains(",35,,rain,Ana,,"))
  }

  @Test(arguments: ["json", "csv"])
  func `keep each length to the second`(format: String) throws {
    let prompt = try Prompt()
    let lengths = [31, 62, 962, 965, 3_601, 86_399]
    for (day, seconds) in lengths.enumerated() {
      #expect(prompt.run("add", "Fido", "\(seconds)s", "2026-11-1\(day)", "0:00").code == 0)
    }
    let file = prompt.file("walks.\(format)").path
    #expect(prompt.run("export", "-o", file).code == 0)
    #expect(prompt.run("import", file).output.hasPrefix("Nothing new"))
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    #expect(prompt.run("import", file).code == 0)
    for seconds in lengths {
      let found = prompt.run("list", "--where", "duration == \(seconds)").output
      #expect(found.split(separator: "\n").count == 1, "\(seconds) s")
    }
  }

  @Test func `keep a tag of several words as one tag`() throws {
    let prompt = try Prompt()
    let file = prompt.file("walks.json")
    try Data(
      #"""
      [{"id":1,"start":"20261120T080000Z","end":"20261120T083000Z",
        "tags":["Fido"," dog  park ","woods"]}]
      """#.utf8
    ).write(to: file)
    _ = prompt.run("dogs", "add", "Fido")
    #expect(prompt.run("import", file.path).code == 0)
    #expect(prompt.run("tag").output == "+dog-park  1 walk\n+woods     1 walk\n")
    #expect(prompt.run("list", "--tag", "dog-park").output.hasPrefix("1\t"))
    let export = prompt.file("walks.csv").path
    #expect(prompt.run("export", "-o", export).code == 0)
    #expect(prompt.run("import", export).output.hasPrefix("Nothing new"))
    #expect(prompt.run("import", file.path).output.hasPrefix("Nothing new"))
  }

  @Test(arguments: ["json", "csv"])
  func `keep a tag that another program has made of several words`(
    format: String
  ) throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m", "8:00", "+park", "+woods")
    try prompt.sql("UPDATE ZTAG SET ZNAME = 'dog park', ZNAMEKEY = 'dog park' WHERE ZNAME = 'park'")
    let file = prompt.file("walks.\(format)").path
    #expect(prompt.run("export", "-o", file).code == 0)
    #expect(prompt.run("import", "--overwrite", file).output.hasPrefix("Nothing new"))
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    #expect(prompt.run("import", file).code == 0)
    #expect(prompt.run("tag").output == "+dog-park  1 walk\n+woods     1 walk\n")
  }

  @Test(arguments: ["18:00,18:00", "18:00,2026-11-20 18:00"])
  func `refuse a walk that ends when it begins`(times: String) throws {
    let prompt = try Prompt()
    let file = prompt.file("walks.csv")
    try Data("dog,start,end\nFido,2026-11-20 \(times)\n".utf8).write(to: file)
    let answer = prompt.run("import", file.path)
    #expect(answer.code == 65 && answer.errors.contains("it ends as it begins"), "\(answer)")
    #expect(prompt.run("list").output.isEmpty)
  }

  @Test func `accept every walk that can be entered, and no others`() throws {
    let prompt = try Prompt()
    for words in [
      ["2024-11-20", "10:00", "to", "2026-11-20", "11:00"], ["999999h", "1900-01-01", "0:00"],
      ["0001-01-03", "0:00"],
    ] {
      let answer = prompt.run(["add", "Fido"] + words)
      #expect(answer.code == 0, "\(answer)")
    }
    for words in [
      ["add", "Fido", "1900-01-01", "10:00", "to", "2026-11-20", "11:00"],
      ["add", "Fido", "0001-01-01", "0:00"], ["start", "Fido", "0001-01-01", "0:00"],
      ["edit", "1", "1850-01-01", "0:00", "to", "2026-11-20", "11:00"],
    ] {
      let answer = prompt.run(words)
      #expect(answer.code == 64 && answer.errors.contains("Write "), "\(words): \(answer)")
    }
    let file = prompt.file("walks.json").path
    #expect(prompt.run("export", "-o", file).code == 0)
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    #expect(prompt.run("import", file).output.hasPrefix("Imported 3 walks"))
  }

  @Test func `are one undo, whatever their size`() throws {
    let prompt = try Prompt()
    let file = prompt.file("walks.csv")
    var text = "dog,start,minutes\n"
    for number in 0..<600 {
      text += "Dog \(number % 3),2026-10-0\(number % 9 + 1) 0\(number % 10):30,\(number / 90 + 1)\n"
    }
    try Data(text.utf8).write(to: file)
    #expect(prompt.run("import", file.path).output.hasPrefix("Imported 600 walks:"))
    let answer = prompt.run("undo")
    #expect(answer.output.contains(" walks are deleted.\n"))
    #expect(prompt.run("list").output.isEmpty)
    #expect(prompt.run("dogs").output.isEmpty)
    #expect(prompt.run("redo").code == 0)
    #expect(!prompt.run("list").output.isEmpty)
  }

  @Test(arguments: ["json", "csv"])
  func `report a damaged file as bad data, never as anything else`(format: String) throws {
    let prompt = try filled()
    let whole = Array(prompt.run("export", "--format", format, "--limit", "3").output.utf8)
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let file = prompt.file("damaged.\(format)")
    for _ in 0..<300 {
      var bytes = whole
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 1:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      default:
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes.insert(contentsOf: [0x5B, 0x22, 0x0A].shuffled(using: &random), at: place)
      }
      try Data(bytes).write(to: file)
      for words in [["import", file.path], ["import", "--skip-bad", file.path]] {
        let answer = prompt.run(words)
        #expect([0, 65].contains(answer.code), "seed \(seed): \(answer)")
      }
    }
  }

  @Test func `write lines of a calendar with at most 75 bytes, and whole characters`() throws {
    let prompt = try filled()
    let calendar = prompt.run("export", "--format", "ics").output
    let lines = calendar.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.utf8.contains(0x0A) })
    #expect(lines.last == "")
    let unfolded = calendar.replacingOccurrences(of: "\r\n ", with: "")
    #expect(unfolded.contains("SUMMARY:Walk with Fido\\, 2.4 km (Ana\\, B.)\r\n"))
    #expect(unfolded.contains("DESCRIPTION:rain\\, \"cats\"\\; and\\na second line\\n\r\n"))
    #expect(unfolded.contains(String(repeating: "über ", count: 299)))
    #expect(unfolded.components(separatedBy: "BEGIN:VEVENT").count == 11)
  }
}
