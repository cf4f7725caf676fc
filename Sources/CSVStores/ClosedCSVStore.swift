import DataFormats
import ManagedObjects
import SystemLibraries

/// A CSV store that is not open, of any model.
struct ClosedCSVStore {
  private let url: URL
  private let options: PersistentStoreOptions
  private let files: CSVFiles

  init(_ url: URL, _ options: PersistentStoreOptions = PersistentStoreOptions()) {
    (self.url, self.options) = (url, options)
    files = CSVFiles(folder: url, busyTimeout: options.busyTimeout)
  }

  /// A consistent state of the store: the manifest, and the files by entity name.
  ///
  /// - Throws: `PersistentStoreError.fileNotFound` if there is no store.
  func contents() throws -> (
    manifest: CSVManifest, files: [String: (file: URL, bytes: [UInt8])]
  ) {
    try files.reading { () throws in
      guard let manifest = try files.readManifest() else {
        throw PersistentStoreError.fileNotFound(url)
      }
      var found: [String: (file: URL, bytes: [UInt8])] = [:]
      for name in manifest.files {
        found[String(name.dropLast(".csv".count))] = try files.read(name, in: manifest)
      }
      return (manifest, found)
    }
  }

  /// Replaces the application's metadata; Core Data's own keys are kept.
  func setMetadata(_ metadata: [String: PropertyList]) throws {
    guard try files.readManifest() != nil else { throw PersistentStoreError.fileNotFound(url) }
    try files.lock(makesFolder: false)
    defer { files.unlock() }
    guard var manifest = try files.readManifest() else { throw PersistentStoreError.moved(url) }
    try files.completeSave(&manifest)
    manifest.setMetadata(
      manifest.metadata.filter { $0.key.isCoreDatas }
        .merging(metadata.filter { !$0.key.isCoreDatas }) { $1 })
    try files.write([], &manifest, known: Set(manifest.files))
  }

  /// Replaces this store with a copy of another one.
  func replace(with other: ClosedCSVStore) throws {
    let (source, contents) = try other.contents()
    if options.forcesDestroy { try files.removeFile() }
    try files.lock(makesFolder: true)
    defer { files.unlock() }
    var old = try options.forcesDestroy ? CSVManifest() : files.readManifest() ?? CSVManifest()
    try files.completeSave(&old)
    var new = source
    new.pending = []
    new.removed = old.files.filter { !new.files.contains($0) }
    let known = Set(options.forcesDestroy ? new.files : old.files)
    let changed = new.files.compactMap { name in
      contents[String(name.dropLast(".csv".count))].map { (name: name, bytes: $0.bytes) }
    }
    try files.write(changed, &new, known: known)
  }

  /// Removes all files of the store.
  func destroy() throws {
    if options.forcesDestroy { try files.removeFile() }
    guard let found = try manifestToDestroy() else { return }
    try files.lock(makesFolder: false)
    defer { files.unlock() }
    // As long as the manifest exists, this can be repeated.
    try files.remove(found.files + found.removed)
    try files.remove([CSVFiles.manifestName])
  }

  private func manifestToDestroy() throws -> CSVManifest? {
    do {
      return try files.readManifest()
    } catch PersistentStoreError.malformedDocument where options.forcesDestroy {
      return CSVManifest()
    }
  }
}

extension String {
  /// Whether a metadata key describes the store itself.
  fileprivate var isCoreDatas: Bool {
    ["NSStore", "NSPersistence", "_NS"].contains { hasPrefix($0) }
  }
}

@available(*, unavailable) extension ClosedCSVStore: Sendable {}
