package import Foundation

extension URL {
  /// The folder with Package.swift.
  package static let projectFolder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The project's own model.
  package static let dogWalkModel = projectFolder.appending(path: "Models/DogWalk.xcdatamodeld")

  /// Real stores that Apple's framework wrote, with their models; beside the project.
  package static let fixtures = shared.appending(path: "fixtures", directoryHint: .isDirectory)

  /// The tools that check stores, independent of this project's code; beside the project.
  package static let tools = shared.appending(path: "tools", directoryHint: .isDirectory)

  private static let shared = projectFolder.deletingLastPathComponent()
    .appending(path: "shared", directoryHint: .isDirectory)

  /// The folder of the programs and modules that were built with the tests.
  package static let builtFolder: URL = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }()
}
