import CSVStores
import DataModel
import Foundation
import ManagedObjects
import Testing

/// The files of CSV stores: mistakes in them, and what killed saves leave.
@Suite struct CSVStoreFileTests {
  // MARK: Mistakes

  @Test(arguments: [
    ("Employee,nmae\n1,Anna\n", "Employee.csv:1:10: Employee has no column 'nmae'"),
    ("Employee,name,name\n", "Employee.csv:1:15: the column 'name' occurs twice"),
    (
      "name\nAnna\n", "Employee.csv:1:1: the column 'Employee' with the objects' numbers is missing"
    ),
    ("", "Employee.csv:1:1: there is no line with the names of the columns"),
    ("Employee,name\nx,Anna\n", "Employee.csv:2:1: 'x' is not the number of an object"),
    ("Employee,name\n007,Anna\n", "Employee.csv:2:1: '007' is not the number of an object"),
    (
      "name,Employee\n\nAnna\n",
      "Employee.csv:3:1: the row has no number in the column 'Employee'"
    ),
    ("Employee\n1\n1\n", "Employee.csv:3:1: another Employee has the number 1"),
    (
      "Employee,name,salary\n1,\"é\n,\",much\n",
      "Employee.csv:3:4: 'salary' is not a whole number of 32 bits, such as 7"
    ),
    (
      "\u{FEFF}Employee,salary\r\n1,2147483648\r\n",
      "Employee.csv:2:3: 'salary' is not a whole number of 32 bits, such as 7"
    ),
    (
      "Employee,hireDate\n1,today\n",
      "Employee.csv:2:3: 'hireDate' is not a date, such as 2026-11-21T09:00:00Z"
    ),
    (
      "Employee,department\n1,7\n",
      "Employee.csv:2:3: 'department' refers to Department 7, which does not exist"
    ),
    (
      "Employee,department\n1,one\n",
      "Employee.csv:2:3: 'department' has 'one', which is not the number of an object"
    ),
    ("Employee,name\n1,Anna,7\n", "Employee.csv:2:8: there are more fields than columns"),
    ("Employee,name\n1,\"Anna\n", "Employee.csv:2:3: a quote is not closed"),
    ("Employee,name\n1,\"Anna\"x\n", "Employee.csv:2:9: text follows a quoted field"),
  ])
  func `a mistake in a file is reported with its position`(text: String, complaint: String) throws {
    let folder = try DocumentFolder.csvStaff()
    try folder.write(text, to: "Employee.csv")
    #expect(try folder.fileComplaint() == complaint)
    #expect(try folder.text("Employee.csv") == text)
  }

  @Test func `text that is not UTF-8 is reported with its position`() throws {
    let folder = try DocumentFolder.csvStaff()
    try Data("Employee,name\n1,".utf8 + [0xE9]).write(to: folder.path("Employee.csv"))
    #expect(try folder.fileComplaint() == "Employee.csv:2:3: 'name' is not text in UTF-8")
  }

  @Test func `a missing or invalid file or manifest is reported`() throws {
    let folder = try DocumentFolder.csvStaff()
    let manifest = try folder.text("manifest.json")
    try FileManager.default.removeItem(at: folder.path("Manager.csv"))
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .fileNotFound(let url) = error else { throw try #require(error) }
    #expect(url.lastPathComponent == "Manager.csv")
    for (text, complaint) in [
      ("{}", "manifest.json:1:1: a manifest begins with { \"csvStore\": 1"),
      ("{\"csvStore\": 2}", "manifest.json:1:14: the store has a newer format version than 1"),
      (
        "{\"csvStore\": 1, \"files\": [\"../a.csv\"]}",
        "manifest.json:1:27: \"../a.csv\" is not the name of a CSV file"
      ),
    ] {
      try folder.write(text, to: "manifest.json")
      #expect(try folder.fileComplaint() == complaint)
    }
    try folder.write(manifest, to: "manifest.json")
  }

  @Test func `another model is refused, and a destroyed store is gone`() throws {
    let folder = try DocumentFolder.csvStaff()
    var entities = Staff.model.entities
    entities[0].properties.append(.value("office", .string))
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentContainer(
        name: "Other", model: ManagedObjectModel(entities: entities), storeURL: folder.url,
        type: .csv, options: PersistentStoreOptions())
    }
    guard case .incompatibleModel = error else { throw try #require(error) }
    let context = try folder.context()
    try folder.write("mine", to: "notes.txt")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
    for _ in 0..<2 { try coordinator.destroyPersistentStore(at: folder.url, type: .csv) }
    #expect(try folder.names() == ["notes.txt"])
    #expect(throws: PersistentStoreError.self) { try context.all("Employee") }
    #expect(try folder.employees() == [])
  }

  @Test func `an existing file is not replaced`() throws {
    let folder = try DocumentFolder(type: .csv)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
    try folder.write("mine", to: "Employee.csv")
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .failed(folder.file, let reason) = error else { throw try #require(error) }
    #expect(reason.systemErrno == EEXIST)
    #expect(try folder.texts() == ["Employee.csv": "mine"])
    // Nor is a file replaced by a folder.
    let taken = try DocumentFolder(type: .csv)
    try Data("mine".utf8).write(to: taken.url)
    #expect(throws: PersistentStoreError.self) { try taken.open() }
    #expect(try Data(contentsOf: taken.url) == Data("mine".utf8))
  }

  @Test func `names that many file systems do not distinguish are refused`() throws {
    let model = ManagedObjectModel(
      entities: ["Dog", "DOG"].map { EntityDescription(name: $0, properties: []) })
    let folder = try DocumentFolder(model, type: .csv)
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    #expect(error?.description == "A CSV store cannot tell the files of DOG and Dog apart.")
    #expect(try folder.folder.names().isEmpty)
  }

  // MARK: What killed saves leave

  /// A store after a save that was killed when its manifest was replaced, and `count` of its two
  /// files.
  private func killed(after count: Int) throws -> (DocumentFolder, before: [String: String]) {
    let folder = try DocumentFolder.csvStaff()
    let before = try folder.texts()
    let context = try folder.context()
    try context.all("Department")[0].setValue("Cats", forKey: "name")
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    try context.save()
    let after = try folder.texts()
    for name in ["Department.csv", "Employee.csv"].dropFirst(count) {
      try folder.write(try #require(before[name]), to: name)
      try folder.write(try #require(after[name]), to: ".\(name).new")
    }
    let manifest = try #require(after["manifest.json"]).replacingOccurrences(
      of: "  \"metadata\"",
      with: "  \"pending\": [\"Department.csv\", \"Employee.csv\"],\n  \"metadata\"")
    try folder.write(manifest, to: "manifest.json")
    return (folder, after)
  }

  @Test(arguments: [0, 1, 2])
  func `a save killed after its manifest was replaced is read, and completed`(count: Int) throws {
    let (folder, after) = try killed(after: count)
    let before = try folder.texts()
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    #expect(try context.all("Employee").map { $0.text("name") } == ["Anne", "Ben"])
    #expect(try context.all("Department").map { $0.text("name") } == ["Cats"])
    #expect(try folder.texts() == before)
    #expect(try folder.employees() == ["Anne", "Ben"])
    #expect(try folder.texts() == after)
  }

  @Test func `files of an incomplete save are removed by the next one, and nothing else`() throws {
    let folder = try DocumentFolder.csvStaff()
    let mine = ["Dog.csv", "Employee.csv.new", "notes.csv", ".Dog.csv.new", "Employee.csv~"]
    for name in mine + [".Employee.csv.new", ".manifest.json.new"] {
      try folder.write("half", to: name)
    }
    let context = try folder.context()
    try context.all("Department")[0].setValue("Cats", forKey: "name")
    try context.save()
    #expect(
      try folder.names()
        == (["Department.csv", "Employee.csv", "Manager.csv", "manifest.json"] + mine).sorted())
  }

  @Test func `a file edited after a killed save is not replaced`() throws {
    let (folder, _) = try killed(after: 0)
    let edited = try folder.text("Employee.csv").replacingOccurrences(of: "Anna", with: "Annabel")
    usleep(20_000)
    try folder.write(edited, to: "Employee.csv")
    #expect(
      try folder.fileComplaint()
        == "Employee.csv: it was edited while a save had written a new version to .Employee.csv.new: "
        + "remove one of them")
    #expect(try folder.text("Employee.csv") == edited)
    try FileManager.default.removeItem(at: folder.path(".Employee.csv.new"))
    #expect(try folder.employees() == ["Annabel", "Ben"])
  }

  @Test func `a file edited during a save is not lost`() throws {
    let folder = try DocumentFolder.csvStaff()
    let context = try folder.context()
    let department = try context.all("Department")[0]
    // The last thing that our program does before the library saves.
    department.setValue("Cats", forKey: "name")
    let edited = try folder.text("Employee.csv").replacingOccurrences(of: "Anna", with: "Annabel")
    try folder.write(edited, to: "Employee.csv")
    try context.save()
    #expect(try folder.text("Employee.csv") == edited)
    #expect(try context.all("Employee").map { $0.text("name") } == ["Annabel", "Ben"])
  }
}
