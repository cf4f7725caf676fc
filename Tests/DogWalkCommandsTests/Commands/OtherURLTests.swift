import DogWalkModel
import Foundation
import Testing

@testable import DogWalkCommands

/// A store name that reads as a URL is never used as the path of a file.
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
  func `is refused where its scheme keeps no stores, and nothing is created`(url: String) throws {
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

  @Test(arguments: ["postgres:/walks", "Postgresql:walks", "postgres:/ana:secret@db.example/walks"])
  func `is refused without its slashes, and nothing is created`(url: String) throws {
    for words in [["add", "Fido", "35m", "--store", url], ["config", "store", url]] {
      let answer = prompt.run(words)
      #expect(answer.code == 64 && answer.output.isEmpty, "\(answer)")
      #expect(answer.errors.contains("is not a URL that can be read"), "\(answer)")
      #expect(!answer.errors.contains("secret"), "\(answer)")
    }
    #expect(!FileManager.default.fileExists(atPath: String(url.prefix { $0 != "/" })))
  }

  @Test func `may have its scheme in upper or lower case`() throws {
    #expect(prompt.run("list", "--store", "POSTGRES:///walks?host=/nowhere").code == 69)
    #expect(prompt.run("config", "store", "PostgreSQL://ana:secret@db.example/walks").code == 64)
    #expect(prompt.run("config", "store", "PostgreSQL://ana@db.example/Walks").code == 0)
    #expect(prompt.run("config", "store").output == "postgresql://ana@db.example/Walks\n")
  }

  @Test(arguments: ["./a://b", "/a://b", "walks: all.sqlite", "a:/b", "://a", "~/x"])
  func `is not seen in a path`(path: String) throws {
    #expect(try StoreLocation.checked(path) == path)
  }
}
