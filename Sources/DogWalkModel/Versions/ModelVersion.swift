import ManagedObjects
package import SystemLibraries

/// A version of the model that stores were created with; 1 is the version of the tutorial's app.
///
///     try ModelVersion(ofStoreAt: url)?.number   // 3
package struct ModelVersion: Sendable {
  /// Its number, as in `DogWalk 3`.
  package let number: Int
  let model: ManagedObjectModel

  /// The version of ``ManagedObjectModel/dogWalk``, with which stores are created now.
  package static let current = ModelVersion(number: all.last?.number ?? 1, model: .dogWalk)

  /// All versions, the oldest first.
  private static let all: [ModelVersion] = ManagedObjectModel.dogWalkVersions
    .map { name, model in
      let number = name.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 1
      return ModelVersion(number: number, model: model)
    }
    .sorted { $0.number < $1.number }

  private init(number: Int, model: ManagedObjectModel) {
    self.number = number
    self.model = model
  }

  /// Creates the version with which a store was created; nil if it is unknown.
  ///
  /// - Throws: `PersistentStoreError` if there is no store, or it cannot be read.
  package init?(ofStoreAt url: URL) throws {
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: url, type: url.isPostgreSQL ? .postgreSQL : .sqlite)
    guard
      let version = Self.all.first(where: { $0.model.isCompatible(withStoreMetadata: metadata) })
    else { return nil }
    self = version
  }

  // MARK: Copies

  /// Returns the URL for the copy of a store that is made before it is migrated to the current
  /// version.
  ///
  /// The name is free and derived from the store's: `DogWalk-version-1.sqlite`, then
  /// `DogWalk-version-1-2.sqlite`.
  func backupURL(ofStoreAt url: URL) -> URL {
    var count = 1
    var backup: URL
    repeat {
      backup = Self.backupURL(ofStoreAt: url, version: number, count: count)
      count += 1
    } while FileManager.default.fileExists(atPath: backup.path)
    return backup
  }

  /// Returns the copies of a store that were made before migrations: files with a copy's name that
  /// are stores of that version.
  package static func backups(ofStoreAt url: URL) -> [URL] {
    all.dropLast().flatMap { version in
      (1...).lazy.map { backupURL(ofStoreAt: url, version: version.number, count: $0) }
        .prefix { FileManager.default.fileExists(atPath: $0.path) }
        .filter { (try? ModelVersion(ofStoreAt: $0))??.number == version.number }
    }
  }

  private static func backupURL(ofStoreAt url: URL, version: Int, count: Int) -> URL {
    // Next to the file itself, since a link's folder may not be writable.
    let url = url.isFileURL ? URL(filePath: url.filePath.resolvingFinalSymlink) : url
    let stem = url.deletingPathExtension().lastPathComponent
    let suffix = count == 1 ? "" : "-\(count)"
    let kind = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    return url.deletingLastPathComponent()
      .appending(path: "\(stem)-version-\(version)\(suffix)\(kind)")
  }
}

extension PersistentStoreError {
  /// Whether the store was created with another model, or another version of this one.
  var isIncompatibleModel: Bool {
    if case .incompatibleModel = self { true } else { false }
  }
}
