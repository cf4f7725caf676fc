import Foundation
import TestSupport
import Testing

@Suite("The differences that storetool reports", .enabled(if: !Fixture.all.isEmpty, "no fixtures"))
struct DiffTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store that Core Data made, with its own archive of the model, beside Xcode's.
  @Test(arguments: Fixture.all)
  func `between a store and its own version change no hash`(fixture: Fixture) throws {
    let store = try fixture.copy(into: folder)
    let lines = try StoreToolProgram.run(
      "inspect", store.path, "--model", fixture.model.path
    ).text.split(separator: "\n")
    let version = try #require(lines.first?.split(separator: "\t").last)

    let answer = try StoreToolProgram.run(
      "diff", store.path, fixture.model.path, "--to-version", String(version))
    let differences = answer.text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(differences.allSatisfy { $0.last == "" })
    // What the framework left out of the archive, or the app has set by itself.
    let known: Set<Substring> = ["class", "value class", "version identifiers"]
    #expect(differences.allSatisfy { known.contains($0[3]) }, "\(answer.text)")
  }

  @Test(arguments: Fixture.models)
  func `between a model and itself are none`(model: URL) throws {
    #expect(try StoreToolProgram.run("diff", model.path, model.path).text == "")
  }

  @Test func `distinguish a store of one version from another`() throws {
    for fixture in Fixture.all where fixture.store.lastPathComponent == "SampleModel_V1.sqlite" {
      let store = try fixture.copy(into: folder)
      let text = try StoreToolProgram.run(
        "diff", store.path, fixture.model.path, "--to-version", "SampleModel2"
      ).text
      #expect(text.contains("LuxuryCar\t\trenamed\t\tExpensiveSportCar\tLuxuryCar\tmoved\n"))
    }
  }
}
