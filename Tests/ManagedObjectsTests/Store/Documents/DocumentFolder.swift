import CSVStores
import Foundation
import ManagedObjects

/// A folder with a store that is read and written as a whole, reopened each time.
struct DocumentFolder {
  let folder: StoreFolder
  let model: ManagedObjectModel
  let type: PersistentStore.StoreType

  var url: URL { folder.store }
  /// The file with the employees: the document, or the employees' CSV file.
  var file: URL { type == .csv ? url.appending(path: "Employee.csv") : url }

  init(
    _ model: ManagedObjectModel = Staff.model, type: PersistentStore.StoreType = .xml,
    document: Data? = nil
  ) throws {
    _ = Stack.wholeTypes
    folder = try StoreFolder(named: Self.name(type))
    self.model = model
    self.type = type
    try document?.write(to: url)
  }

  /// A store of a type with two employees, Anna and Ben.
  static func staff(_ type: PersistentStore.StoreType) throws -> DocumentFolder {
    let folder = try DocumentFolder(type: type)
    let context = try folder.open().newBackgroundContext()
    for name in ["Anna", "Ben"] {
      ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    }
    try context.save()
    return folder
  }

  /// The name of a type's file.
  static func name(_ type: PersistentStore.StoreType) -> String {
    "Staff.\(type.rawValue.lowercased())"
  }

  func open(
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    var options = PersistentStoreOptions()
    change(&options)
    return try PersistentContainer(
      name: "Staff", model: model, storeURL: url, type: type, options: options)
  }

  /// Opens a document whose metadata are empty.
  func openIgnoringVersions() throws -> PersistentContainer {
    try open { $0.ignoresModelVersioning = true }
  }

  func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// The names of the employees.
  func employees() throws -> [String?] {
    try open().newBackgroundContext().all("Employee").map { $0.text("name") }
  }

  func bytes() throws -> Data { try Data(contentsOf: file) }

  /// The content of the store's file, or of the files in its folder, by name.
  func contents() throws -> [String: Data] { try contents(at: url) }

  /// The content of another store of the type.
  func contents(at url: URL) throws -> [String: Data] {
    guard type == .csv else { return ["": try Data(contentsOf: url)] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: url.appending(path: $0)))
      })
  }

  /// The error that is reported about the document: where, and why.
  func complaint(ignoringVersions: Bool = true) throws -> String {
    let before = try? Data(contentsOf: url)
    do {
      _ = try open { $0.ignoresModelVersioning = ignoringVersions }
      return "none"
    } catch PersistentStoreError.malformedDocument(_, let line, let column, let reason) {
      guard try Data(contentsOf: url) == before, try folder.names().count == 1 else {
        return "the file was changed"
      }
      return (line.map { "\($0):" } ?? "") + (column.map { "\($0):" } ?? "") + " " + reason
    }
  }
}
