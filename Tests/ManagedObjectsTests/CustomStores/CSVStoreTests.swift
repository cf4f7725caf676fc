import CSVStores
import DataModel
import Foundation
import ManagedObjects
import Testing

/// Stores that are folders of CSV files.
///
/// `DocumentStoreTests` covers what they have in common with documents.
@Suite struct CSVStoreTests {
  @Test func `each entity has a file that spreadsheets can read`() throws {
    let folder = try DocumentFolder.csvStaff()
    #expect(
      try folder.names() == ["Department.csv", "Employee.csv", "Manager.csv", "manifest.json"])
    #expect(try folder.text("Department.csv") == "Department,name\n1,\"Dogs, cats\"\n")
    #expect(
      try folder.text("Employee.csv") == """
        Employee,hireDate,name,salary,department
        1,,Anna,,1
        2,,Ben,,1

        """)
    #expect(try folder.text("Manager.csv") == "Manager,hireDate,level,name,salary,department\n")
  }

  @Test func `one changed value is one changed line of one file`() throws {
    let folder = try DocumentFolder.csvStaff()
    let before = try folder.texts()
    let context = try folder.context()
    let anna = try context.all("Employee").first
    anna?.setValue(Int32(7), forKey: "salary")
    try context.save()
    #expect(
      try folder.texts().filter { before[$0.key] != $0.value }.map(\.key) == ["Employee.csv"])
    #expect(try folder.text("Employee.csv").hasSuffix("\n1,,Anna,7,1\n2,,Ben,,1\n"))
    anna?.setValue(nil, forKey: "salary")
    try context.save()
    #expect(try folder.texts() == before)
  }

  @Test func `files of unchanged entities are left unchanged`() throws {
    let folder = try DocumentFolder.csvStaff()
    let byHand = "name,Department\n\"Dogs, cats\",1\n\n"
    try folder.write(byHand, to: "Department.csv")
    let context = try folder.context()
    try context.all("Employee").first?.setValue("Anne", forKey: "name")
    try context.save()
    #expect(try folder.text("Department.csv") == byHand)
    // Those that refer to a deleted object are not.
    for department in try context.all("Department") { context.delete(department) }
    try context.save()
    #expect(try folder.text("Department.csv") == "name,Department\n")
    #expect(try folder.text("Employee.csv").hasSuffix("\n1,,Anne,,\n2,,Ben,,\n"))
  }

  @Test func `what a spreadsheet has written is read, and rewritten in the store's form`() throws {
    let folder = try DocumentFolder.csvStaff()
    let context = try folder.context()
    let ben = try context.all("Employee")[1]
    try folder.write(
      "\u{FEFF}department;Employee;name;hireDate\r\n;1;Annabel;2026-11-21 09:00\r\n"
        + "1;2;Ben;\r\n;;;\r\n1;9;Cleo;2026-11-21\r\n",
      to: "Employee.csv")
    ben.setValue("Benno", forKey: "name")
    try context.save()
    #expect(try folder.employees() == ["Annabel", "Benno", "Cleo"])
    #expect(
      try folder.text("Employee.csv")
        == "\u{FEFF}department;Employee;name;hireDate;salary\r\n"
        + ";1;Annabel;2026-11-21T09:00:00Z;\r\n1;2;Benno;;\r\n"
        + "1;9;Cleo;2026-11-21T00:00:00Z;\r\n")
    ManagedObject("Manager", in: context).setValue("Dora", forKey: "name")
    try context.save()
    #expect(try folder.text("Manager.csv").hasSuffix("\n10,,,Dora,,\n"))
  }

  @Test func `numbers of deleted objects are not reused`() throws {
    let folder = try DocumentFolder.csvStaff()
    let context = try folder.context()
    context.delete(try context.all("Employee")[1])
    try context.save()
    #expect(try folder.text("manifest.json").contains("\"Employee\": 2"))
    let again = try folder.context()
    ManagedObject("Employee", in: again).setValue("Cleo", forKey: "name")
    try again.save()
    #expect(try folder.text("Employee.csv").contains("\n3,,Cleo,,\n"))
    #expect(!(try folder.text("manifest.json")).contains("highest"))
  }

  @Test func `a number reserved by two processes is given to one of them`() throws {
    let folder = try DocumentFolder.csvStaff()
    let (one, two) = (try folder.context(), try folder.context())
    let cleo = ManagedObject("Employee", in: one)
    cleo.setValue("Cleo", forKey: "name")
    try one.obtainPermanentIDs(for: [cleo])
    let dora = ManagedObject("Employee", in: two)
    dora.setValue("Dora", forKey: "name")
    try two.save()
    let error = #expect(throws: ConflictError.self) { try one.save() }
    #expect(error?.objectID == cleo.objectID)
    #expect(try folder.employees() == ["Anna", "Ben", "Dora"])
    #expect(cleo.isInserted && cleo.text("name") == "Cleo")
  }

  @Test func `a number stays reserved when other processes change the store meanwhile`() throws {
    let folder = try DocumentFolder.csvStaff()
    let one = try folder.context()
    let two = ManagedObjectContext(persistentStoreCoordinator: one.persistentStoreCoordinator)
    let cleo = ManagedObject("Employee", in: one)
    cleo.setValue("Cleo", forKey: "name")
    try one.obtainPermanentIDs(for: [cleo])
    let other = try folder.context()
    try other.all("Employee")[0].setValue("Annabel", forKey: "name")
    try other.save()
    let dora = ManagedObject("Employee", in: two)
    dora.setValue("Dora", forKey: "name")
    try two.obtainPermanentIDs(for: [dora])
    #expect(cleo.objectID != dora.objectID)
    try two.save()
    try one.save()
    let names = try folder.employees().compactMap { $0 }
    #expect(names.sorted() == ["Annabel", "Ben", "Cleo", "Dora"])
  }

  @Test func `lists keep their order, as order keys of their members`() throws {
    let folder = try DocumentFolder(Boxes.model(), type: .csv)
    let context = try folder.context()
    let box = Boxes.Box(named: "box", in: context)
    for name in ["a", "b", "c"] { box.things.append(Boxes.Thing(named: name, in: context)) }
    try context.save()
    box.things.move(fromOffset: 2, toOffset: 0)
    try context.save()
    #expect(try folder.text("Thing.csv").hasPrefix("Thing,name,box,box position,maker\n"))
    func names() throws -> [String?] {
      let context = try folder.context()
      return try context.fetch(Boxes.Box.fetchRequest())[0].things.map(\.name)
    }
    #expect(try names() == ["c", "a", "b"])
    // One without an order key is last, and two with one key are in the order of their rows.
    try folder.write("Thing,name,box,box position\n1,a,1,\n2,b,1,7\n3,c,1,7\n", to: "Thing.csv")
    #expect(try names() == ["b", "c", "a"])
  }

  @Test func `rows may come in any order`() throws {
    let folder = try DocumentFolder(Boxes.model(), type: .csv)
    let maker = try folder.context()
    _ = Boxes.Box(named: "box", in: maker)
    try maker.save()
    try folder.write(
      "box position,name,Thing,box\n3,a,9,1\n,d,40,1\n1,b,2,1\n2,c,30,1\n", to: "Thing.csv")
    let context = try folder.context()
    let things = try context.fetch(Boxes.Box.fetchRequest())[0].things
    #expect(things.map(\.name) == ["b", "c", "a", "d"])
    #expect(things.map(\.objectID.primaryKey) == [2, 30, 9, 40])
    things[0].name = "e"
    try context.save()
    #expect(
      try folder.text("Thing.csv")
        == "box position,name,Thing,box,maker\n1,e,2,1,\n3,a,9,1,\n2,c,30,1,\n4,d,40,1,\n")
    try folder.write("Thing\n7\n3\n7\n", to: "Thing.csv")
    let error = #expect(throws: PersistentStoreError.self) { try folder.context() }
    guard case .malformedDocument(_, 4, 1, "another Thing has the number 7") = error else {
      throw try #require(error)
    }
  }

  @Test func `an unreadable file is never overwritten`() throws {
    let folder = try DocumentFolder.csvStaff()
    let context = try folder.context()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let before = try folder.text("Employee.csv")
    let spoilt = before.replacing("\n1,", with: "\nx,")
    try folder.write(spoilt, to: "Employee.csv")
    // However often someone tries, or reads.
    let attempts: [() throws -> Void] = [
      { try context.save() }, { _ = try context.all("Employee") }, { try context.save() },
    ]
    for attempt in attempts {
      let error = #expect(throws: PersistentStoreError.self) { try attempt() }
      guard case .malformedDocument = error else { throw try #require(error) }
      #expect(try folder.text("Employee.csv") == spoilt)
    }
    #expect(context.hasChanges)
    try folder.write(before, to: "Employee.csv")
    try context.save()
    #expect(try folder.employees() == ["Anne", "Ben"])
  }

  // MARK: Values

  @Test func `values of every type round-trip exactly`() throws {
    let folder = try DocumentFolder(Samples.model, type: .csv)
    let texts = [
      "", "'", "''", "'=1", "=1+1", "-", "a\r\nb", "a,\"b\"", " a ", "é🐕", "'tis", "\u{1}", "a;b",
      "\u{FEFF}a", "\u{FF1D}1", "\"", "'\n",
    ]
    let context = try folder.context()
    for text in texts {
      let sample = Sample(context: context)
      sample.text = text
      (sample.short, sample.middle, sample.long) = (.min, .max, .min)
      (sample.flag, sample.real, sample.single) = (true, 0.1, 0.1)
      sample.date = Date(timeIntervalSinceReferenceDate: -700_000_000.123)
      sample.price = Decimal(string: "12.5")
      sample.link = URL(string: "https://a.example/?a=1,2")
      sample.uuid = UUID(uuidString: "0E82928F-05F0-40AF-851B-1FA617A37DB3")
      sample.bytes = Data((0..<text.utf8.count).map { UInt8($0) })
      sample.next = sample
    }
    let endless = Sample(context: context)
    (endless.real, endless.single) = (.infinity, -.infinity)
    endless.date = Date(timeIntervalSinceReferenceDate: 1e15)
    try context.save()
    let before = try folder.text("Sample.csv")
    #expect(before.contains(",12.5,0.1,-32768,0.1,"))
    let other = try folder.context()
    let found = try other.fetch(Sample.fetchRequest())
    for (one, text) in zip(found, texts) {
      #expect(one.text.map { Array($0.utf8) } == Array(text.utf8))
      #expect((one.short, one.middle, one.long) == (.min, .max, .min))
      #expect((one.flag, one.real, one.single) == (true, 0.1, 0.1))
      #expect(one.date == Date(timeIntervalSinceReferenceDate: -700_000_000.123))
      #expect(one.price == Decimal(string: "12.5"))
      #expect(one.link?.absoluteString == "https://a.example/?a=1,2")
      #expect(one.uuid == UUID(uuidString: "0E82928F-05F0-40AF-851B-1FA617A37DB3"))
      #expect(one.bytes?.count == text.utf8.count && one.next === one)
    }
    let last = try #require(found.last)
    #expect((last.real, last.single, last.text) == (.infinity, -.infinity, nil))
    #expect(last.date == endless.date && found.count == texts.count + 1)
    let again = try folder.context()
    let sample = try #require(try again.fetch(Sample.fetchRequest()).first)
    sample.text = "Rex"
    try again.save()
    sample.text = ""
    try again.save()
    #expect(try folder.text("Sample.csv") == before)
  }

  @Test func `numbers and Booleans are read as spreadsheets write them`() throws {
    let folder = try DocumentFolder(Samples.model, type: .csv)
    _ = try folder.open()
    try folder.write(
      "Sample;flag;real;single;price;text;short\n1;TRUE;12,5;-0,5;1,5;\"a;b\";7\n2;0;1E3;2;3;'=1;\n",
      to: "Sample.csv")
    let context = try folder.context()
    let found = try context.fetch(Sample.fetchRequest())
    #expect(found.map(\.flag) == [true, false] && found.map(\.real) == [12.5, 1000])
    #expect(found.map(\.single) == [-0.5, 2] && found.map(\.text) == ["a;b", "=1"])
    #expect(found.map(\.price) == [Decimal(string: "1.5"), 3])
  }

  @Test func `metadata round-trip, and those of closed stores are replaced`() throws {
    let folder = try DocumentFolder.csvStaff()
    let own: [String: PropertyList] = ["list": .array([.integer(1), .string("\u{1}")])]
    try PersistentStoreCoordinator.setMetadata(
      own, forPersistentStoreAt: folder.url, type: .csv)
    let coordinator = try folder.open().persistentStoreCoordinator
    let found = try coordinator.metadata(for: coordinator.persistentStores[0])
    #expect(found["list"] == own["list"] && found["NSStoreType"] == .string("CSV"))
    let closed = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.url, type: .csv)
    #expect(closed["list"] == own["list"] && closed["NSStoreUUID"] == found["NSStoreUUID"])
    #expect(try folder.employees() == ["Anna", "Ben"])
  }
}
