import DataFormats
import SystemLibraries

/// A document's folder, and the layout of its contents.
///
/// ```text
/// NAME/StoreContent/persistentStore
/// NAME/AdditionalContent/…
/// NAME/DocumentMetadata.plist
/// ```
struct DocumentPackage {
  let url: URL
  let storeName: String

  var storeURL: URL { url.appending(path: "StoreContent").appending(path: storeName) }
  /// The folder of the additional content.
  var contentURL: URL { url.appending(path: "AdditionalContent") }
  /// The former content, while the new one replaces it.
  private var oldContentURL: URL { url.appending(path: ".AdditionalContent.old") }
  /// The prefix of the names of drafts of new content.
  private var contentDraftStem: String { url.appending(path: ".AdditionalContent").filePath }
  private var metadataURL: URL { url.appending(path: "DocumentMetadata.plist") }

  var hasContent: Bool { Self.kind(of: contentURL) == S_IFDIR }

  /// Checks that it is a document, and completes what a killed process has begun.
  ///
  /// - Returns: whether it is writable.
  /// - Throws: `ManagedDocumentError`.
  func prepare() throws -> Bool {
    guard let kind = Self.kind(of: url) else {
      // Other errors mean that it is unknown whether the folder exists.
      if errno != ENOENT, errno != ENOTDIR { throw PersistentStoreError(errno: errno, at: url) }
      throw ManagedDocumentError.notFound(url)
    }
    guard kind == S_IFDIR, Self.kind(of: storeURL) == S_IFREG else {
      throw ManagedDocumentError.notADocument(url)
    }
    let isWritable =
      access(storeURL.filePath, W_OK) == 0
      && access(storeURL.deletingLastPathComponent().filePath, W_OK) == 0
    if isWritable, Self.kind(of: oldContentURL) != nil {
      if hasContent {
        Self.remove(oldContentURL)
      } else {
        _ = rename(oldContentURL.filePath, contentURL.filePath)
      }
    }
    if isWritable { AbandonedDrafts.remove(of: contentDraftStem) }
    return isWritable
  }

  // MARK: Creating

  /// Creates an empty package in a hidden folder next to its URL, fills it, and renames it.
  ///
  /// Drafts that killed processes have left there are removed.
  ///
  /// - Throws: `ManagedDocumentError.exists` if a file exists at the URL; errors that `fill`
  ///   throws.
  static func make(
    at url: URL, storeName: String, _ fill: (DocumentPackage) throws -> Void
  ) throws {
    guard kind(of: url) == nil else { throw ManagedDocumentError.exists(url) }
    let stem = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent)").filePath
    try fillDraft(of: stem, for: url) { folder in
      let draft = DocumentPackage(url: folder, storeName: storeName)
      let path = draft.storeURL.deletingLastPathComponent().filePath
      try check(mkdir(path, 0o777), url)
      try fill(draft)
      try draft.move(to: url)
    }
  }

  /// Creates a new folder, fills it and renames it; removes it on failure.
  ///
  /// - Parameters:
  ///   - stem: The prefix of its name.
  ///   - url: The URL to use in errors.
  private static func fillDraft(
    of stem: String, for url: URL, _ fill: (URL) throws -> Void
  ) throws {
    AbandonedDrafts.remove(of: stem)
    guard let (path, descriptor) = AbandonedDrafts.makeFolder(of: stem) else {
      throw PersistentStoreError(errno: errno, at: url)
    }
    defer { close(descriptor) }
    let draft = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try fill(draft)
    } catch {
      remove(draft)
      throw error
    }
  }

  /// Writes the package's metadata.
  func writeMetadata() throws {
    let metadata = PropertyList.dictionary(["ManagedDocumentStoreName": .string(storeName)])
    var text = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

      """.utf8)
    metadata.appendXML(to: &text, indentation: 0)
    let file = try NewFile(at: metadataURL.filePath, for: metadataURL)
    try file.write(text)
    guard case .inPlace = try file.finish(mayReserve: true) else {
      throw ManagedDocumentError.exists(metadataURL)
    }
  }

  /// Renames a draft to its final name, once all of it is on the disk.
  ///
  /// - Throws: `ManagedDocumentError.exists` if a file with that name was created in the meantime.
  private func move(to destination: URL) throws {
    try NewFile.syncFolder(of: storeURL.filePath, for: destination)
    try NewFile.syncFolder(of: metadataURL.filePath, for: destination)
    guard Self.kind(of: destination) == nil else { throw ManagedDocumentError.exists(destination) }
    // Renaming a folder replaces nothing but an empty folder.
    guard rename(url.filePath, destination.filePath) == 0 else {
      let code = errno
      if [EEXIST, ENOTEMPTY, ENOTDIR, EISDIR].contains(code) {
        throw ManagedDocumentError.exists(destination)
      }
      throw PersistentStoreError(errno: code, at: destination)
    }
    try NewFile.syncFolder(of: destination.filePath, for: destination)
  }

  // MARK: Additional content

  /// Fills a new folder, and replaces the additional content by it; an empty one is left out.
  ///
  /// If the process is killed, either the old or the new content remains, possibly under another
  /// name, which `prepare()` looks for.
  func replaceContent(_ fill: (URL) throws -> Void) throws {
    try Self.fillDraft(of: contentDraftStem, for: contentURL) { draft in
      try fill(draft)
      let files = try Self.sync(draft)
      if files == 0, !hasContent { return Self.remove(draft) }
      Self.remove(oldContentURL)
      do {
        if hasContent { try Self.check(rename(contentURL.filePath, oldContentURL.filePath), url) }
        try Self.check(rename(draft.filePath, contentURL.filePath), url)
        try NewFile.syncFolder(of: contentURL.filePath, for: url)
      } catch {
        if !hasContent { _ = rename(oldContentURL.filePath, contentURL.filePath) }
        throw error
      }
      Self.remove(oldContentURL)
    }
  }

  /// Flushes all files of a folder to the disk.
  ///
  /// - Returns: the number of files and folders.
  private static func sync(_ folder: URL) throws -> Int {
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.filePath) {
      let url = folder.appending(path: name)
      switch kind(of: url) {
      case S_IFDIR: count += try 1 + sync(url)
      case S_IFREG:
        count += 1
        let file = open(url.filePath, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PersistentStoreError(errno: errno, at: url) }
        defer { close(file) }
        try check(fsync(file), url)
      default: count += 1
      }
    }
    try NewFile.syncFolder(of: folder.appending(path: "x").filePath, for: folder)
    return count
  }

  // MARK: Files

  private static func remove(_ url: URL) {
    if kind(of: url) != nil { try? FileManager.default.removeItem(at: url) }
  }

  /// The file type; nil if no file exists.
  private static func kind(of url: URL) -> mode_t? {
    var info = stat()
    return stat(url.filePath, &info) == 0 ? info.st_mode & S_IFMT : nil
  }

  private static func check(_ result: Int32, _ url: URL) throws {
    guard result == 0 else { throw PersistentStoreError(errno: errno, at: url) }
  }
}
