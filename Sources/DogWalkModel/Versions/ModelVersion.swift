import ManagedObjects
package import SystemLibraries

/// A version of the model that stores were made with: 1 is that of the tutorial's app.
///
///     try ModelVersion(ofStoreAt: url)?.number   // 3
package struct ModelVersion: Sendable {
  /// Its number, as in `DogWalk 3`.
  package let number: Int
  let model: ManagedObjectModel

  /// That of ``ManagedObjectModel/dogWalk``, with which stores are made now.
  package static let current = ModelVersion(number: all.last?.number ?? 1, model: .dogWalk)

  /// Every version, the oldest first.
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

  /// The version that a store was made with; nil where it is of none that is known here.
  ///
  /// - Throws: `PersistentStoreError` where there is no store, or it cannot be read.
  package init?(ofStoreAt url: URL) throws {
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: url, type: url.isPostgreSQL ? .postgreSQL : .sqlite)
    guard
      let version = Self.all.first(where: { $0.model.isCompatible(withStoreMetadata: metadata) })
    else { return nil }
    self = version
  }

  // MARK: Copies

  /// Where the copy of a store is put before it is migrated to the current version.
  ///
  /// A name beside it that is free: `DogWalk-version-1.sqlite`, then `DogWalk-version-1-2.sqlite`.
  func backupURL(ofStoreAt url: URL) -> URL {
    var count = 1
    var backup: URL
    repeat {
      backup = Self.backupURL(ofStoreAt: url, version: number, count: count)
      count += 1
    } while FileManager.default.fileExists(atPath: backup.path)
    return backup
  }

  /// The copies that were made of a store before it was migrated: what has a copy's name and is a
  /// store of that version.
  package static func backups(ofStoreAt url: URL) -> [URL] {
    all.dropLast().flatMap { version in
      (1...).lazy.map { backupURL(ofStoreAt: url, version: version.number, count: $0) }
        .prefix { FileManager.default.fileExists(atPath: $0.path) }
        .filter { (try? ModelVersion(ofStoreAt: $0))??.number == version.number }
    }
  }

  private static func backupURL(ofStoreAt url: URL, version: Int, count: Int) -> URL {
    let stem = url.deletingPathExtension().lastPathComponent
    let suffix = count == 1 ? "" : "-\(count)"
    let kind = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    return url.deletingLastPathComponent()
      .appending(path: "\(stem)-version-\(version)\(suffix)\(kind)")
  }
}

extension PersistentStoreError {
  /// Whether the store was made with another model, or another version of it.
  var isIncompatibleModel: Bool {
    if case .incompatibleModel = self { true } else { false }
  }
}
