import Foundation
import ManagedObjects

/// Two documents that are open at the same time, one of them in two windows.
@main
struct Portfolios {
  @MainActor
  static func main() async throws {
    let folder = URL.temporaryDirectory.appending(path: "Portfolios-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Control-C does not lose any changes.
    ManagedDocument.closeAllAtTermination()

    print("Two documents")
    let landscapes = Portfolio(folder.appending(path: "Landscapes"))
    let cities = Portfolio(folder.appending(path: "Cities"))
    try landscapes.create()
    try cities.create()
    try landscapes.add("Moonrise", by: "Ansel")
    try landscapes.add("Dunes", by: "Ansel")
    try cities.add("Bridge", by: "Berenice")
    landscapes.cover = "Where nobody is"
    try landscapes.save()
    try cities.save()
    try show(landscapes)
    try show(cities)

    print("A second window on the first")
    let window = Portfolio(landscapes.fileURL)
    try window.open()
    print("  cover: \(window.cover)")
    window.onSave = { print("  the window hears of \($0.inserted.count) new objects") }
    landscapes.autosaveDelay = .milliseconds(50)
    try landscapes.add("Snow", by: "Ansel")
    print("  unsaved: \(landscapes.hasUnsavedChanges)")
    while landscapes.hasUnsavedChanges { try await Task.sleep(for: .milliseconds(10)) }
    try show(window)

    print("Taking it back")
    window.onSave = nil
    landscapes.undoManager?.undo()
    try landscapes.save()
    try show(window)

    print("No document")
    do { try Portfolio(folder.appending(path: "Portraits")).open() } catch let error
      as ManagedDocumentError
    { print("  " + error.description.replacing(folder.path + "/", with: "")) }

    for document in [landscapes, cities, window] { try document.close() }
    let files = FileManager.default.subpaths(atPath: landscapes.fileURL.path) ?? []
    print("What is in Landscapes")
    for file in files.sorted() { print("  \(file)") }
  }

  @MainActor
  static func show(_ document: Portfolio) throws {
    print("  \(document.fileURL.lastPathComponent)")
    for line in try document.lines() { print("    \(line)") }
  }
}
