import Testing

@testable import DogWalkCommands

@Suite struct `Looking after dogs` {
  let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "--dog", "Fido", "--dog", "Rex", "5m")
  }

  @Test func `keeps a renamed dog chosen`() {
    _ = prompt.run("dogs", "use", "Rex")
    #expect(prompt.run("dogs", "rename", "rex", "Shep").code == 0)
    #expect(prompt.run("add", "6m").output.hasPrefix("Added walk 3: Shep"))
  }

  @Test func `renames no dog to another's name, but changes a name's spelling`() {
    #expect(prompt.run("dogs", "rename", "Rex", "FIDO").code == 1)
    #expect(prompt.run("dogs", "rename", "Rex", "REX").output == "Renamed Rex to REX.\n")
    #expect(prompt.run("list", "--dog", "rex").output.contains("\tREX\t"))
  }

  @Test func `suggests commands that can be typed, whatever the names begin with`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "5m", "--dog=-x", "--by=-Bob")
    _ = prompt.run("add", "5m", "--dog", "Rex", "--by", "Ana")
    _ = prompt.run("start", "Rex", "--by", "Ana")
    for (words, hint) in [
      (["add", "5m"], "dogwalk dogs use -- -x"),
      (["dogs", "rename", "Rex", "-X"], ""),
      (["dogs", "rename", "--", "Rex", "-X"], "dogwalk dogs merge -- Rex -x"),
      (["dogs", "--check", "--dog=-x"], "dogwalk dogs set --gap 8h -- -x"),
      (["stop", "Rex", "--by=-Bob"], "dogwalk edit 3 --by=-Bob"),
    ] {
      let answer = prompt.run(words)
      #expect(answer.code != 0 && answer.errors.contains(hint), "\(words): \(answer)")
      guard !hint.isEmpty else { continue }
      let typed = hint.split(separator: " ").dropFirst().map(String.init)
      #expect(prompt.run(typed).code == 0, "\(hint)")
      _ = prompt.run("undo")
    }
  }

  @Test func `notes that several words are several dogs`() {
    let answer = prompt.run("dogs", "add", "Sir", "Barks")
    #expect(answer.output == "New dog: Sir.\nNew dog: Barks.\n")
    #expect(
      answer.errors == "Note: these are two dogs. For one: dogwalk dogs add 'Sir Barks'\n")
    #expect(prompt.run("dogs", "add", "Max", "Mr Bones").errors.isEmpty)
    #expect(prompt.run("dogs", "add", "Ben", "Tom", "--quiet").errors.isEmpty)
  }

  @Test func `deletes a dog with walks if the person answers yes`() {
    prompt.answers = ["n", "y"]
    #expect(prompt.run("dogs", "delete", "Rex").code == 1)
    let answer = prompt.run("dogs", "delete", "Rex")
    #expect(answer.output == "Deleted Rex with 1 walk.  Undo: dogwalk undo\n")
    #expect(answer.errors == "Delete Rex with 1 walk? [y/N] ")
    #expect(prompt.run("list").output.split(separator: "\n").count == 1)
    // The dog and its walks are restored as they were.
    #expect(prompt.run("undo").code == 0)
    #expect(prompt.run("list", "--dog", "rex").output.hasPrefix("2\t"))
  }

  @Test func `deletes all named dogs, or none`() {
    #expect(prompt.run("dogs", "delete", "--yes", "Rex", "Luna").code == 1)
    #expect(prompt.run("dogs", "delete", "--yes", "Rex", "Fido").code == 0)
    #expect(prompt.run("list").output.isEmpty)
  }

  @Test(arguments: [
    ["set", "Fido"], ["set", "Fido", "--target", "25h"], ["set", "Fido", "--target", "90s"],
    ["set", "Fido", "--gap", "soon"], ["add", ""], ["add", "yestreday"], ["rename", "Fido", " "],
    ["rename", "Fido", "Old", "Fido"], ["use"], ["delete"],
  ])
  func `refuses nonsense, and changes nothing`(words: [String]) {
    let before = prompt.run("dogs", "--json").output
    #expect(prompt.run(["dogs"] + words).code == 64)
    #expect(prompt.run("dogs", "--json").output == before)
  }
}
