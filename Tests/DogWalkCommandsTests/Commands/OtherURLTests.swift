import DogWalkModel
import Foundation
import Testing

@testable import DogWalkCommands

/// A store's name that reads as a URL is never taken for the path of a file.
@Suite struct `A URL as a store's name` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    prompt.variables["DOGWALK_STORE"] = nil
  }

  @Test(arguments: [
    "postgress://ana:secret@db.example/walks", "https://db.example/walks", "file:///walks",
    "sqlite:///walks.sqlite", "my-sql+x://db.example/walks",
  ])
  func `of nothing that keeps stores is refused, and nothing is made`(url: String) throws {
    for words in [["add", "Fido", "35m", "--store", url], ["config", "store", url]] {
      let answer = prompt.run(words)
      #expect(answer.code == 64 && answer.output.isEmpty, "\(answer)")
      #expect(answer.errors.contains("neither a file nor on a PostgreSQL server"), "\(answer)")
      #expect(answer.errors.contains("Write postgres://USER@HOST/DATABASE"))
      #expect(!answer.errors.contains("secret"))
    }
    let folder = url.prefix { $0 != "/" }
    #expect(!FileManager.default.fileExists(atPath: String(folder)))
    prompt.variables["DOGWALK_STORE"] = url
    #expect(prompt.run("list").code == 64)
  }

  @Test func `has its scheme in letters of any size`() throws {
    #expect(prompt.run("list", "--store", "POSTGRES:///walks?host=/nowhere").code == 69)
    #expect(prompt.run("config", "store", "PostgreSQL://ana:secret@db.example/walks").code == 64)
    #expect(prompt.run("config", "store", "PostgreSQL://ana@db.example/Walks").code == 0)
    #expect(prompt.run("config", "store").output == "postgresql://ana@db.example/Walks\n")
  }

  @Test(arguments: ["./a://b", "/a://b", "walks: all.sqlite", "a:/b", "://a", "~/x"])
  func `is none of a path`(path: String) throws {
    #expect(try StoreLocation.checked(path) == path)
  }
}
