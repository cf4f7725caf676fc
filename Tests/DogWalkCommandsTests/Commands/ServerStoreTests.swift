import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// A store on a server, as the prompt reports it.
@Suite struct `A store on a server` {
  #if !PostgreSQL
    @Test func `is refused where this program supports files only`() throws {
      let prompt = try Prompt()
      prompt.variables["DOGWALK_STORE"] = "postgres://ana:secret@db.example/walks"
      let answer = prompt.run("list")
      #expect(answer.code == 69)
      #expect(answer.output.isEmpty)
      #expect(answer.errors.contains("Install dogwalk-postgresql"))
      #expect(!answer.errors.contains("secret"))
      #expect(prompt.run("completions", "bash").code == 0)
      #expect(prompt.run("help").code == 0)
      prompt.variables["DOGWALK_STORE"] = nil
      #expect(prompt.run("list", "--store", "postgresql://db.example/walks").code == 69)
      let sync = prompt.run("sync", "postgres://ana:secret@db.example/walks")
      #expect(sync.code == 69 && sync.errors.contains("the other store is on a server"))
      #expect(!sync.errors.contains("secret"))
      #expect(prompt.run("sync", "https://db.example/walks").code == 69)
    }
  #else
    private func answer(_ url: String, _ words: String...) throws -> Prompt.Answer {
      let prompt = try Prompt()
      prompt.variables["DOGWALK_STORE"] = url
      return prompt.run(words)
    }

    @Test func `that cannot be reached is reported, and nothing is done`() throws {
      for words in [["add", "Fido", "35m"], ["list"], ["doctor"]] {
        let prompt = try Prompt()
        prompt.variables["DOGWALK_STORE"] = "postgres://ana:secret@/walks?host=/nowhere"
        let answer = prompt.run(words)
        #expect(answer.code == 69, "\(answer)")
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains("cannot reach the store"))
        #expect(!answer.errors.contains("secret"))
      }
    }

    @Test(arguments: [
      "sslmode=bogus", "sslmode=bo%1Bgus", "channel_binding=x", "target_session_attrs=x", "port=0",
      "port=12x",
    ])
    func `is reported where its URL has an invalid option`(
      option: String
    ) throws {
      let answer = try answer("postgres://ana:secret@/walks?host=/nowhere&\(option)", "list")
      #expect(answer.code == 64, "\(answer)")
      #expect(answer.errors.contains(": invalid "), "\(answer)")
      #expect(!answer.errors.contains("secret") && !answer.errors.contains("\u{1B}"))
    }

    @Test func `is reported where its URL cannot be read`() throws {
      let answer = try answer("postgres://ana:secret@db.example/walks?nonsense=1", "list")
      #expect(answer.code == 64)
      #expect(!answer.errors.contains("secret"))
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `is not changed where it has another program's tables`() throws {
      let prompt = try Prompt()
      let url = try #require(TestServer.store(for: prompt.home.path))
      prompt.variables["DOGWALK_STORE"] = url
      let schema = try #require(url.split(separator: "=").last)
      let made = try Answer(
        of: "psql",
        [
          try #require(TestServer.url), "-qc",
          "CREATE SCHEMA \(schema); CREATE TABLE \(schema).other (a int)",
        ])
      #expect(made.exitCode == 0, "\(made.errors)")
      for words in [["list"], ["add", "--dog", "Fido", "20m"], ["doctor"]] {
        let answer = prompt.run(words)
        #expect(answer.code == 65, "\(words): \(answer)")
        #expect(answer.errors.contains("It is unchanged"))
      }
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `has no such database`() throws {
      let url = try #require(TestServer.url).replacing("/postgres?", with: "/nowhere?")
      let answer = try answer(url, "add", "Fido", "35m")
      #expect(answer.code == 66, "\(answer)")
      #expect(answer.errors.contains("createdb nowhere"))
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `is described, and is copied into a file`() throws {
      let prompt = try Prompt()
      prompt.variables["DOGWALK_STORE"] = TestServer.store(for: prompt.home.path)
      #expect(prompt.run("list").code == 0)
      #expect(prompt.run("doctor").output.hasPrefix("There is no store yet."))
      #expect(prompt.run("add", "Fido", "35m").code == 0)
      let doctor = prompt.run("doctor")
      #expect(doctor.output.contains("PostgreSQL "))
      #expect(
        doctor.output.contains(/\nConnected  \d+ connections? of \d+ that the server takes\n/))
      #expect(doctor.output.contains("1 dog, 1 walk"))
      #expect(doctor.output.contains("1 command can be undone"))
      #expect(doctor.output.hasSuffix("\nIntegrity  OK\n"))
      let json = prompt.run("doctor", "--json").output
      #expect(json.contains(#""rows_checked": true"#) && json.contains(#""faults": []"#))
      let copy = prompt.file("copy.sqlite").path
      let answer = prompt.run("doctor", "--backup", copy)
      #expect(answer.code == 0, "\(answer)")
      #expect(answer.output == "Copied the store to \(copy), without its history.\n")
      #expect(prompt.run("list", "--store", copy).output == prompt.run("list").output)
      #expect(prompt.run("doctor", "--store", copy).output.contains("OK"))
      #expect(prompt.run("doctor", "--backup", copy).code == 73)
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `is reported with its walks where rows contradict the model`() throws {
      let prompt = try Prompt()
      let url = try #require(TestServer.store(for: prompt.home.path))
      prompt.variables["DOGWALK_STORE"] = url
      let schema = try #require(url.split(separator: "=").last)
      func change(_ sql: String) throws {
        let changed = try Answer(of: "psql", [try #require(TestServer.url), "-qc", sql])
        #expect(changed.exitCode == 0, "\(changed.errors)")
      }
      #expect(prompt.run("add", "Fido", "35m").code == 0)
      try change("UPDATE \(schema).zwalk SET zdog = 77")
      let doctor = prompt.run("doctor")
      #expect(doctor.code == 65)
      #expect(doctor.output.hasSuffix("\nIntegrity  1 fault\n"), "\(doctor)")
      #expect(doctor.errors.contains("Walk 1 belongs to a dog that no longer exists."), "\(doctor)")
      #expect(doctor.errors.contains("--store URL of a new store"), "\(doctor)")
      let fault = "ZWALK: 1 row whose ZDOG refers to no row of ZDOG (Z_PK 1)"
      #expect(prompt.run("doctor", "--json").output.contains(#""faults": ["\#(fault)"]"#))
      // As doctor suggests.
      #expect(prompt.run("edit", "1", "--dog", "Fido").code == 0)
      #expect(prompt.run("doctor").code == 0)
      try change("ALTER TABLE \(schema).zwalk ALTER zduration TYPE text")
      let damaged = prompt.run("doctor")
      #expect(damaged.code == 65)
      #expect(damaged.output.contains("\nKind       PostgreSQL, model DogWalk 3\n"), "\(damaged)")
      #expect(damaged.output.hasSuffix("\nIntegrity  DAMAGED\n"), "\(damaged)")
      #expect(
        damaged.errors.contains(
          "ZWALK: the column ZDURATION is not of the type double precision"), "\(damaged)")
      let json = prompt.run("doctor", "--json")
      #expect(json.code == 65 && json.output.contains(#""rows_checked": false"#), "\(json)")
      let copy = prompt.run("doctor", "--backup", prompt.file("copy.sqlite").path)
      #expect(copy.code == 65 && copy.errors.contains("it is damaged"), "\(copy)")
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `of an older version is read unchanged, and migrated by the first change`() throws {
      let prompt = try Prompt()
      let url = try #require(TestServer.store(for: prompt.home.path))
      try `A store of version 2`.make(at: #require(URL(string: url)))
      prompt.variables["DOGWALK_STORE"] = url
      let (list, dogs) = (prompt.run("list"), prompt.run("dogs"))
      #expect(list.code == 0 && list.output.split(separator: "\n").count == 5, "\(list)")
      #expect(prompt.run("doctor").output.contains("the first change upgrades it to version 3"))
      let added = prompt.run("add", "Fido", "5m", "8:00", "--by", "ana")
      #expect(added.output.hasPrefix("Added walk 7: "), "\(added)")
      #expect(added.errors.contains("Upgraded the store to version 3"), "\(added)")
      let copy = try #require(added.errors.split(separator: " ").last?.dropLast(2))
      #expect(copy.hasSuffix("/dogwalk/server-version-2.sqlite"), "\(copy)")
      #expect(prompt.run("list", "--store", String(copy)).output == list.output)
      #expect(prompt.run("undo").code == 0)
      #expect(prompt.run("list").output == list.output)
      #expect(prompt.run("dogs").output == dogs.output)
    }

    @Test(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
    func `accepts walks of many processes at once`() throws {
      let prompt = try Prompt()
      prompt.variables["DOGWALK_STORE"] = TestServer.store(for: prompt.home.path)
      let names = ["Fido", "Rex", "Luna", "Bello", "Ash"]
      let count = 40
      let answers = try (0..<count).map { number in
        try ProgramProcess(["add", "--dog", names[number % 5], "--new", "20m"], in: prompt)
      }.map { $0.answer() }
      #expect(answers.allSatisfy { $0.code == 0 }, "\(answers.filter { $0.code != 0 })")
      let numbers = prompt.run("list", "--json").output
      for number in 1...count { #expect(numbers.contains("\"id\": \(number),"), "\(number)") }
      #expect(prompt.run("dogs").output.split(separator: "\n").count == 5)
    }
  #endif
}
