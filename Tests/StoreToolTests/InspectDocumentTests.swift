import Foundation
import TestSupport
import Testing

/// XML stores, as `storetool inspect` shows them.
@Suite(.enabled(if: !XMLFixture.all.isEmpty, "../shared/fixtures is missing"))
struct `An inspected XML store` {
  @Test(arguments: XMLFixture.all)
  func `has as many objects as the document`(store: URL) throws {
    let answer = try StoreToolProgram.run("inspect", store.path)
    #expect(answer.exitCode == 0, "\(answer.errors)")
    let text = try String(contentsOf: store, encoding: .utf8)
    var counts: [String: Int] = [:]
    for match in text.matches(of: /<object type="(\w+)"/) {
      counts[String(match.output.1), default: 0] += 1
    }
    let lines = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("metadata\tNSStoreModelVersionHashes\t") })
    #expect(
      lines.dropFirst().filter { !$0.hasPrefix("metadata\t") }
        == counts.sorted { $0.key < $1.key }.map { "entity\t\($0.key)\t\($0.value)" })
  }

  @Test(arguments: XMLFixture.all)
  func `is dumped with every value and every relationship`(store: URL) throws {
    let answer = try StoreToolProgram.run("inspect", store.path, "--json")
    #expect(answer.exitCode == 0, "\(answer.errors)")
    let dump = try JSONDecoder().decode(Dump.self, from: Data(answer.output))
    let objects = dump.entities.flatMap(\.objects)
    let text = try String(contentsOf: store, encoding: .utf8)
    #expect(
      objects.reduce(0) { $0 + $1.attributes.count } == text.matches(of: /<attribute\s/).count)
    #expect(
      objects.reduce(0) { $0 + $1.relationships.count } == text.matches(of: /<relationship\s/).count
    )
    for object in objects {
      let id = try #require(object.id.split(separator: "/p").last)
      #expect(text.contains("id=\"z\(id)\""))
    }
  }

  @Test func `is refused with another model`() throws {
    let answer = try StoreToolProgram.run(
      "inspect", XMLFixture.all[0].path, "--model", URL.dogWalkModel.path)
    #expect(answer.exitCode == 65)
    #expect(
      String(decoding: answer.errors.utf8, as: UTF8.self).contains(
        "not made with a version of DogWalk"))
  }

  private struct Dump: Decodable {
    let entities: [Entity]

    struct Entity: Decodable {
      let objects: [Object]
    }

    struct Object: Decodable {
      let id: String
      let attributes: [String: Anything]
      let relationships: [String: Anything]
    }

    struct Anything: Decodable {
      init(from decoder: any Decoder) {}
    }
  }
}

/// The XML stores among the fixtures: Xcode's sources of mapping models.
enum XMLFixture {
  static let all: [URL] = {
    let files = FileManager.default.enumerator(atPath: URL.fixtures.path)?.allObjects
    return (files as? [String] ?? []).filter { $0.hasSuffix("xcmapping.xml") }.sorted()
      .map { URL.fixtures.appending(path: $0) }
  }()
}
