import DataFormats
import SystemLibraries

/// A document's folder, and what is where in it.
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
  /// What is kept beside the store.
  var contentURL: URL { url.appending(path: "AdditionalContent") }
  /// Where the last content is while the next one takes its place.
  private var oldContentURL: URL { url.appending(path: ".AdditionalContent.old") }
  /// What the names of drafts of the next content begin with.
  private var contentDraftStem: String { url.appending(path: ".AdditionalContent").filePath }
  private var metadataURL: URL { url.appending(path: "DocumentMetadata.plist") }

  var hasContent: Bool { Self.kind(of: contentURL) == S_IFDIR }

  /// Looks whether it is a document, and ends what a process that was killed has begun.
  ///
  /// - Returns: whether it may be written to.
  /// - Throws: `ManagedDocumentError`.
  func prepare() throws -> Bool {
    guard let kind = Self.kind(of: url) else {
      // One that cannot even be looked for is another matter.
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
    if isWritable { LeftDrafts.remove(of: contentDraftStem) }
    return isWritable
  }

  // MARK: Making one

  /// Makes an empty one in a hidden folder beside a place where nothing is, has it be filled, and
  /// gives it its name.
  ///
  /// Those that killed processes left there go.
  ///
  /// - Throws: `ManagedDocumentError.exists` where something is there; what `fill` throws.
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

  /// Has a new folder be filled and renamed; where that fails, it goes.
  ///
  /// - Parameters:
  ///   - stem: What its name begins with.
  ///   - url: Whom errors are about.
  private static func fillDraft(
    of stem: String, for url: URL, _ fill: (URL) throws -> Void
  ) throws {
    LeftDrafts.remove(of: stem)
    guard let (path, descriptor) = LeftDrafts.makeFolder(of: stem) else {
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

  /// Writes what the package says of itself.
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

  /// Gives a draft its name, once all of it is on the disk.
  ///
  /// - Throws: `ManagedDocumentError.exists` where something has got that name meanwhile.
  private func move(to destination: URL) throws {
    try NewFile.syncFolder(of: storeURL.filePath, for: destination)
    try NewFile.syncFolder(of: metadataURL.filePath, for: destination)
    guard Self.kind(of: destination) == nil else { throw ManagedDocumentError.exists(destination) }
    // A folder takes nothing's place but an empty folder's.
    guard rename(url.filePath, destination.filePath) == 0 else {
      let code = errno
      if [EEXIST, ENOTEMPTY, ENOTDIR, EISDIR].contains(code) {
        throw ManagedDocumentError.exists(destination)
      }
      throw PersistentStoreError(errno: code, at: destination)
    }
    try NewFile.syncFolder(of: destination.filePath, for: destination)
  }

  // MARK: Content beside the store

  /// Has a folder be filled, and puts it in the place of the last one; an empty one is left out.
  ///
  /// A process that is killed leaves the last one or the next, if perhaps under another name, which
  /// `prepare()` looks for.
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

  /// Has all files of a folder be on the disk.
  ///
  /// - Returns: how many there are.
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

  /// Whether there is a folder or a file; nil for nothing.
  private static func kind(of url: URL) -> mode_t? {
    var info = stat()
    return stat(url.filePath, &info) == 0 ? info.st_mode & S_IFMT : nil
  }

  private static func check(_ result: Int32, _ url: URL) throws {
    guard result == 0 else { throw PersistentStoreError(errno: errno, at: url) }
  }
}
