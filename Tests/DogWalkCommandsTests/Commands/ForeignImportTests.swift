import Foundation
import Testing

@testable import DogWalkCommands

/// Files of other programs, of spreadsheets, and of people who edit them.
@Suite struct `Imports of foreign files` {
  private let prompt: Prompt

  init() throws { prompt = try Prompt() }

  /// Writes a file, and imports it.
  private func importing(
    _ text: String, _ name: String, _ words: String..., in encoding: String.Encoding = .utf8
  ) throws -> (answer: Prompt.Answer, path: String) {
    let file = prompt.file(name)
    try #require(text.data(using: encoding)).write(to: file)
    return (prompt.run(["import", file.path] + words), file.path)
  }

  /// The error for a file that cannot be imported.
  private func refusal(of path: String, _ text: String) -> Prompt.Answer {
    Prompt.Answer(errors: "dogwalk: cannot import \(path): \(text)\n", code: 65)
  }

  // MARK: Dogs

  @Test func `add a walk for each dog in an interval's tags`() throws {
    for dog in ["Fido", "Rex"] { _ = prompt.run("dogs", "add", dog) }
    let text = """
      [{"id":1,"start":"20261120T080000Z","end":"20261120T083000Z","tags":["park","Fido","rex"]}]
      """
    let imported = try importing(text, "timew.json").answer
    #expect(imported.output.hasPrefix("Imported 2 walks: 2 new, 0 changed"), "\(imported)")
    for (number, dog) in [(1, "Fido"), (2, "Rex")] {
      #expect(
        prompt.run("list", "--dog", dog, "--tag", "park").output
          == "\(number)\t2026-11-20T09:00:00+01:00\t30\t\(dog)\t\n")
    }
    #expect(prompt.run("tag").output == "+park  2 walks\n")
    let again = try importing(text, "timew.json").answer
    #expect(again.output == "Nothing new: all 2 walks already exist.\n")
  }

  @Test func `recognize both walks of a Watson frame, though its end has moved`() throws {
    for dog in ["Fido", "Rex"] { _ = prompt.run("dogs", "add", dog) }
    func frame(until minute: Int) -> String {
      """
      [{"id": "4ed7a5e25bd04b1ab5a4c2b9ca8cd0a8", "project": "Fido", "tags": ["Rex", "wood"],
        "start": "2026-11-18T18:00:00+01:00", "stop": "2026-11-18T18:\(minute):00+01:00"}]
      """
    }
    let imported = try importing(frame(until: 40), "watson.json").answer
    #expect(imported.output.hasPrefix("Imported 2 walks: 2 new, 0 changed"), "\(imported)")
    let moved = try importing(frame(until: 50), "watson.json").answer
    #expect(moved.output.hasPrefix("Imported 2 walks: 0 new, 2 changed"), "\(moved)")
    for (number, dog) in [(1, "Fido"), (2, "Rex")] {
      #expect(
        prompt.run("list", "--dog", dog, "--tag", "wood").output
          == "\(number)\t2026-11-18T18:00:00+01:00\t50\t\(dog)\t\n")
    }
  }

  @Test func `keep a frame's walk with its dog, whichever dogs were added since`() throws {
    let text = """
      [{"id": "4ed7a5e25bd04b1ab5a4c2b9ca8cd0a8", "project": "outing", "tags": ["rex", "luna"],
        "start": "2026-11-18T18:00:00+01:00", "stop": "2026-11-18T18:40:00+01:00"}]
      """
    _ = prompt.run("dogs", "add", "Luna")
    #expect(try importing(text, "watson.json").answer.output.hasPrefix("Imported 1 walk: 1 new"))
    // A project that is not a dog is a tag beside one that is.
    #expect(prompt.run("list").output == "1\t2026-11-18T18:00:00+01:00\t40\tLuna\t\n")
    _ = prompt.run("edit", "1", "--note", "grass")
    _ = prompt.run("dogs", "add", "Rex")
    _ = try importing(text, "watson.json")
    #expect(prompt.run("list", "--dog", "Luna").output.hasSuffix("\tLuna\tgrass\n"))
    #expect(prompt.run("list", "--dog", "Rex").output.hasPrefix("2\t"))
  }

  @Test func `make no dog of a lone tag where there are dogs`() throws {
    let text = """
      [{"id":1,"start":"20261120T080000Z","end":"20261120T083000Z","tags":["meeting"]}]
      """
    let first = try importing(text, "timew.json").answer
    #expect(first.output.contains("(New dog: meeting.)"), "\(first)")
    prompt.variables["DOGWALK_STORE"] = prompt.file("other.sqlite").path
    _ = prompt.run("dogs", "add", "Fido")
    let (answer, path) = try importing(text, "timew.json")
    #expect(
      answer
        == refusal(
          of: path,
          "line 1: its tag meeting is no dog: make it one with dogwalk dogs add meeting, or say "
            + "whose it is with --dog. Nothing was imported; --skip-bad leaves out what cannot be.")
    )
    #expect(try importing(text, "timew.json", "--dog", "Fido").answer.code == 0)
  }

  // MARK: Lines

  @Test func `report all lines that an unclosed quote has swallowed`() throws {
    let text = """
      dog,start,minutes,note
      Fido,2026-11-01 10:00,20,"Wald
      Fido,2026-11-02 10:00,20,
      Fido,2026-11-03 10:00,20,
      Rex,2026-11-04 10:00,20,"Park"
      Rex,2026-11-05 10:00,20,

      """
    let reason = "in line 5 text follows quotes that were opened in line 2"
    let (answer, path) = try importing(text, "v.csv")
    #expect(
      answer
        == refusal(
          of: path,
          "lines 2 to 5: \(reason). Nothing was imported; --skip-bad leaves out what cannot be."))
    let skipping = try importing(text, "v.csv", "--skip-bad").answer
    #expect(skipping.errors == "Left out lines 2 to 5 of \(path): \(reason).\n")
    #expect(skipping.output.hasPrefix("Imported 1 walk: 1 new"), "\(skipping)")
  }

  @Test func `report all lines after a quote that is never closed`() throws {
    let text = """
      dog,start,note
      Rex,2026-11-01 10:00,
      Fido,2026-11-02 10:00,"Wald
      Fido,2026-11-03 10:00,

      """
    let (answer, path) = try importing(text, "open.csv", "--skip-bad")
    #expect(
      answer.errors
        == "Left out lines 3 to 4 of \(path): quotes that were opened in line 3 are not closed.\n")
    #expect(answer.output.hasPrefix("Imported 1 walk: 1 new"), "\(answer)")
  }

  @Test func `skip rows without a value`() throws {
    let text = ";;\ndog;start;minutes\n;;\nFido;2026-11-01 10:00;20\n \n;;;;\n\"\"; ;\n"
    let answer = try importing(text, "rows.csv").answer
    #expect(answer.output.hasPrefix("Imported 1 walk: 1 new") && answer.errors == "", "\(answer)")
  }

  @Test func `report the column without a name`() throws {
    let text = "dog,start,minutes,\nFido,2026-11-01 10:00,20,x\n"
    let (answer, path) = try importing(text, "columns.csv")
    #expect(
      answer
        == refusal(
          of: path,
          "line 1: column 4 has no name: name it in the file, or leave it out with "
            + "--ignore-unknown. Nothing was imported."))
    #expect(try importing(text, "columns.csv", "--ignore-unknown").answer.code == 0)
    let two = try importing(",dog,start, \nx,Fido,2026-11-01 10:00,\n", "two.csv").answer
    #expect(two.errors.contains("columns 1 and 4 have no name: name them in"), "\(two)")
  }

  // MARK: Lengths

  @Test func `report new long walks, once`() throws {
    let line = "dog,start,end\nLuna,2026-10-06 18:00,17:00\n"
    let note = "Note: 23 h is long for a walk. If that is a mistake: dogwalk edit 1 35m\n"
    #expect(try importing(line, "long.csv").answer.errors == note)
    #expect(try importing(line, "long.csv").answer.errors == "")
    let more = ["08 8:00,14:00", "09 8:00,14:01", "10 8:00,18:00"].map { "Luna,2026-10-\($0)\n" }
    #expect(
      try importing(line + more.joined(), "long.csv").answer.errors
        == "Note: walks 3 and 4 are longer than 6 h. "
        + "To see the first: dogwalk show 3\n")
  }

  // MARK: Encodings

  @Test func `suggest how to convert a text that is not UTF-8`() throws {
    let text = "dog,start,minutes,note\nFido,2026-11-01 10:00,20,W\u{E4}ldchen\nFido,x,,\n"
    let (answer, path) = try importing(text, "l1.csv", in: .isoLatin1)
    let remedy =
      "Save it as \"CSV UTF-8\", or: iconv -f WINDOWS-1252 -t UTF-8 \(path) > \(copy(of: path))"
    #expect(
      answer
        == refusal(
          of: path,
          "line 2: it is not UTF-8. 1 more cannot be read. Nothing was imported. \(remedy)"))
    let skipping = try importing(text, "l1.csv", "--skip-bad", in: .isoLatin1).answer
    #expect(skipping.errors.hasSuffix("\(remedy)\n"), "\(skipping)")
  }

  /// Where the suggestion puts a file's copy.
  private func copy(of path: String) -> String {
    let name = path.split(separator: ".", omittingEmptySubsequences: false)
    return name.dropLast().joined(separator: ".") + "-utf8." + (name.last ?? "")
  }

  @Test func `do not suggest it for a file whose other texts are UTF-8`() throws {
    let file = prompt.file("mixed.csv")
    let text = Array("dog,start,minutes,note\nFido,2026-11-01 10:00,20,W\u{E4}ldchen\nFido,".utf8)
    try Data(text + [0xFF] + Array(",,\n".utf8)).write(to: file)
    #expect(
      prompt.run("import", file.path)
        == refusal(
          of: file.path,
          "line 3: it is not UTF-8. Nothing was imported; --skip-bad leaves out what cannot be."))
  }

  @Test func `suggest it for the first line, and for JSON`() throws {
    let header = try importing("dog,start,H\u{F6}he\n", "l2.csv", in: .isoLatin1)
    #expect(
      header.answer.errors.hasSuffix(
        "iconv -f WINDOWS-1252 -t UTF-8 \(header.path) > \(copy(of: header.path))\n"),
      "\(header.answer)")
    let json = try importing(
      #"[{"dog":"Fido","start":"2026-11-01 10:00","note":"W\#u{E4}ldchen"}]"#, "l1.json",
      in: .isoLatin1)
    #expect(
      json.answer
        == refusal(
          of: json.path,
          "line 1: a string is not UTF-8. Nothing was imported. Save it as UTF-8, or: "
            + "iconv -f WINDOWS-1252 -t UTF-8 \(json.path) > \(copy(of: json.path))"))
  }

  @Test(arguments: [
    ("\u{FEFF}", "UTF-16", String.Encoding.utf16LittleEndian),
    ("\u{FEFF}", "UTF-16", .utf16BigEndian), ("", "UTF-16LE", .utf16LittleEndian),
    ("", "UTF-16BE", .utf16BigEndian),
  ])
  func `recognize UTF-16`(mark: String, name: String, encoding: String.Encoding) throws {
    let text = "\(mark)dog,start,minutes\r\nFido,2026-11-01 10:00,20\r\n"
    let (answer, path) = try importing(text, "wide.csv", "--skip-bad", in: encoding)
    #expect(
      answer
        == refusal(
          of: path,
          "line 1: it is UTF-16. Nothing was imported. Save it as \"CSV UTF-8\", or: "
            + "iconv -f \(name) -t UTF-8 \(path) > \(copy(of: path))"))
  }
}
