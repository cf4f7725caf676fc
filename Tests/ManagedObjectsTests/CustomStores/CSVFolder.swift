import CSVStores
import DataModel
import Foundation
import ManagedObjects

/// The files of a CSV store, in addition to what ``DocumentFolder`` knows about every store.
extension DocumentFolder {
  /// A store with two employees in a department.
  static func csvStaff() throws -> DocumentFolder {
    let folder = try DocumentFolder(type: .csv)
    let context = try folder.open().newBackgroundContext()
    let department = ManagedObject("Department", in: context)
    department.setValue("Dogs, cats", forKey: "name")
    for name in ["Anna", "Ben"] {
      let employee = ManagedObject("Employee", in: context)
      employee.setValue(name, forKey: "name")
      employee.setValue(department, forKey: "department")
    }
    try context.save()
    return folder
  }

  func context() throws -> ManagedObjectContext { try open().newBackgroundContext() }

  func path(_ name: String) -> URL { url.appending(path: name) }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: path(name)), as: UTF8.self)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: path(name))
  }

  /// The names of the files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Every file's text, by name.
  func texts() throws -> [String: String] {
    try contents().mapValues { String(decoding: $0, as: UTF8.self) }
  }

  /// The error that the store reports: the file, where, and why.
  func fileComplaint() throws -> String {
    do {
      _ = try open()
      return "none"
    } catch PersistentStoreError.malformedDocument(let url, let line, let column, let reason) {
      let place = [url.lastPathComponent, line.map { "\($0)" }, column.map { "\($0)" }]
      return place.compactMap(\.self).joined(separator: ":") + ": " + reason
    }
  }
}
