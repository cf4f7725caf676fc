import Foundation

extension URL {
  /// The project's own model.
  static let dogWalkModel = projectFolder.appending(path: "Models/DogWalk.xcdatamodeld")

  /// The folder with Package.swift.
  static let projectFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
