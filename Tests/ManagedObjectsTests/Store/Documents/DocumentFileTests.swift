import Foundation
import ManagedObjects
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stores that are read and written as a whole: their files, and what a full disk or a kill
/// leaves.
@Suite struct DocumentFileTests {
  @Test(arguments: Stack.wholeTypes)
  func `a read-only document is not changed, and not created`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    let before = try folder.bytes()
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .readOnly(folder.url) = error else { throw try #require(error) }
    #expect(try folder.bytes() == before)
    let empty = try DocumentFolder(type: type)
    for change in [
      { (options: inout PersistentStoreOptions) in options.isReadOnly = true },
      { options in options.createsFile = false },
    ] {
      let error = #expect(throws: PersistentStoreError.self) { try empty.open(change) }
      guard case .fileNotFound(empty.url) = error else { throw try #require(error) }
    }
    #expect(try empty.folder.names().isEmpty)
  }

  @Test(arguments: Stack.documentTypes)
  func `an empty file is filled, a folder and a missing folder are refused`(
    _ type: PersistentStore.StoreType
  ) throws {
    let empty = try DocumentFolder(type: type, document: Data())
    _ = try empty.open()
    #expect(try !empty.bytes().isEmpty && empty.employees() == [])
    let taken = try DocumentFolder(type: type)
    try FileManager.default.createDirectory(at: taken.url, withIntermediateDirectories: false)
    let error = #expect(throws: PersistentStoreError.self) { try taken.open() }
    guard case .notAFile(taken.url) = error else { throw try #require(error) }
    let nowhere = try DocumentFolder(type: type)
    try FileManager.default.removeItem(at: nowhere.folder.url)
    #expect(throws: PersistentStoreError.self) { try nowhere.open() }
    #expect(!FileManager.default.fileExists(atPath: nowhere.folder.url.path))
  }

  @Test(arguments: Stack.wholeTypes)
  func `its permissions and a link to it are kept`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder.staff(type)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.file.path)
    let link = folder.folder.url.appending(path: "link.xml")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    let container = try PersistentContainer(
      name: "Staff", model: Staff.model, storeURL: link, type: type)
    let context = container.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    try context.save()
    #expect(try folder.employees() == ["Anne", "Ben"])
    let info = try FileManager.default.attributesOfItem(atPath: folder.file.path)
    #expect(info[.posixPermissions] as? Int == 0o640)
    #expect(try folder.folder.names() == [DocumentFolder.name(type), "link.xml"])
  }

  @Test func `a full disk leaves the old document, and the changes in the context`() async {
    await #expect(processExitsWith: .success) {
      for type in Stack.wholeTypes {
        let folder = try DocumentFolder(type: type)
        let context = try folder.open().newBackgroundContext()
        let object = ManagedObject("Employee", in: context)
        object.setValue("Anna", forKey: "name")
        try context.save()
        let before = try folder.contents()
        object.setValue(String(repeating: "Anna ", count: 10_000), forKey: "name")
        FileSizeLimit.set(10_000)
        let error = #expect(throws: PersistentStoreError.self) { try context.save() }
        guard case .full(folder.file) = error else { throw try #require(error) }
        #expect(try folder.contents() == before)
        #expect(try folder.folder.names() == [DocumentFolder.name(type)])
        #expect(context.hasChanges)
        FileSizeLimit.lift()
        try context.save()
        #expect(try folder.bytes().count > 50_000)
      }
    }
  }

  @Test func `a writer killed at any moment leaves a complete document`() async throws {
    for type in Stack.wholeTypes { try await checkKills(type) }
  }

  private func checkKills(_ type: PersistentStore.StoreType) async throws {
    let folder = try StoreFolder(
      at: SharedFolder.documents(of: getpid()), named: DocumentFolder.name(type))
    func open() throws -> PersistentContainer {
      try PersistentContainer(
        name: "Staff", model: Staff.model, storeURL: folder.store, type: type)
    }
    // The other readers know the type by its name.
    _ = try open()
    var acknowledged: Set<String> = []
    for _ in 0..<8 {
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
      ) {
        let folder = SharedFolder.documents(of: getppid())
        let type = try #require(
          Stack.wholeTypes.first {
            FileManager.default.fileExists(
              atPath: folder.appending(path: DocumentFolder.name($0)).path)
          })
        Thread {
          usleep(.random(in: 0..<120_000))
          kill(getpid(), SIGKILL)
        }.start()
        let container = try PersistentContainer(
          name: "Staff", model: Staff.model,
          storeURL: folder.appending(path: DocumentFolder.name(type)), type: type)
        let context = container.newBackgroundContext()
        for step in 0... {
          let name = "\(getpid()) \(step)"
          // Both are there, or neither.
          let department = ManagedObject("Department", in: context)
          department.setValue(name, forKey: "name")
          let employee = ManagedObject("Employee", in: context)
          employee.setValue(name, forKey: "name")
          employee.setValue(department, forKey: "department")
          try context.save()
          let line = Array("\nsaved \(name)\n".utf8)
          _ = write(1, line, line.count)
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      for line in output.split(separator: "\n") where line.hasPrefix("saved ") {
        acknowledged.insert(String(line.dropFirst(6)))
      }
    }
    let context = try open().newBackgroundContext()
    let employees = try context.all("Employee")
    let kept = Set(employees.compactMap { $0.text("name") })
    #expect(
      try context.all("Department").count == employees.count
        && employees.allSatisfy {
          ($0.value(forKey: "department") as? ManagedObject)?.text("name") == $0.text("name")
        })
    #expect(!acknowledged.isEmpty && kept.isSuperset(of: acknowledged))
    #expect(kept.count <= acknowledged.count + 8)
  }
}
