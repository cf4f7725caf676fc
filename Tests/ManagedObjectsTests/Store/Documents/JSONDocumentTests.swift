import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// The documents of JSON stores, line by line.
@Suite struct JSONDocumentTests {
  @Test func `a document is written for people to read`() throws {
    let folder = try DocumentFolder(type: .json)
    let container = try folder.open()
    let context = container.newBackgroundContext()
    let employee = ManagedObject("Employee", in: context)
    employee.setValue("Anna \"Ann\"", forKey: "name")
    employee.setValue(Int32(-7), forKey: "salary")
    employee.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "hireDate")
    try context.save()
    employee.setValue(ManagedObject("Department", in: context), forKey: "department")
    try context.save()
    let text = try folder.text()
    let objects = try #require(text.range(of: "  \"objects\"")).lowerBound
    #expect(
      text[objects...] == """
          "objects": {
            "Department 2": {},
            "Employee 1": {
              "hireDate": "2001-01-01T00:00:00.25Z",
              "name": "Anna \\"Ann\\"",
              "salary": -7,
              "department": "Department 2"
            }
          }
        }

        """)
    #expect(
      text.hasPrefix(
        """
        {
          "managedObjects": 1,
          "uuid": "\(container.persistentStore.identifier)",
          "metadata": {
            "NSPersistenceFrameworkVersion": 1333,
            "NSStoreModelVersionChecksumKey": "
        """))
  }

  @Test func `one changed value is one changed line, and none when changed back`() throws {
    let folder = try DocumentFolder(type: .json)
    let context = try folder.open().newBackgroundContext()
    let department = ManagedObject("Department", in: context)
    for name in ["Anna", "Ben", "Cleo"] {
      let employee = ManagedObject("Employee", in: context)
      employee.setValue(name, forKey: "name")
      employee.setValue(department, forKey: "department")
    }
    let other = ManagedObject("Department", in: context)
    try context.save()
    let before = try folder.text()
    let anna = try context.all("Employee")[0]
    for (key, value) in [("name", "Anne" as Any), ("department", other)] {
      let old = anna.value(forKey: key)
      anna.setValue(value, forKey: key)
      try context.save()
      let (lines, new) = (before.split(separator: "\n"), try folder.text().split(separator: "\n"))
      #expect(lines.count == new.count && zip(lines, new).filter { $0 != $1 }.count == 1)
      anna.setValue(old, forKey: key)
      try context.save()
      #expect(try folder.text() == before)
    }
  }

  @Test func `numbers of deleted objects are not reused`() throws {
    let folder = try DocumentFolder(type: .json)
    let context = try folder.open().newBackgroundContext()
    let anna = ManagedObject("Employee", in: context)
    try context.save()
    let ben = ManagedObject("Employee", in: context)
    try context.save()
    #expect(!(try folder.text()).contains("highestID"))
    context.delete(ben)
    try context.save()
    #expect(try folder.text().contains("\n  \"highestID\": 2,\n"))
    let again = try folder.open().newBackgroundContext()
    let cleo = ManagedObject("Employee", in: again)
    try again.save()
    #expect([anna, ben, cleo].map(\.objectID.primaryKey) == [1, 2, 3])
    #expect(!(try folder.text()).contains("highestID"))
  }

  @Test func `a document that a person wrote is read, and rewritten in order`() throws {
    let folder = try DocumentFolder(
      type: .json,
      document: Data(
        """
        { "managedObjects": 1, "uuid": "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5", "objects": {
          "Manager 9": {"level":3, "name": "B\\u00e9n", "salary": 1e3, "hireDate": null},
          "Department 4": {"name": "Dogs", "employees": ["Manager 9", "Employee 7"]},
          "Employee 7": {"hireDate": "2008-10-27T16:22:01.25+02:00"} } }
        """.utf8))
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    let employees = try context.all("Employee")
    #expect(employees.map(\.objectID.primaryKey) == [7, 9])
    #expect(employees[1].text("name") == "Bén")
    #expect(employees[1].value(forKey: "salary") as? Int32 == 1000)
    #expect(
      employees[0].value(forKey: "hireDate") as? Date
        == Date(timeIntervalSinceReferenceDate: 246_810_121.25))
    #expect(employees.allSatisfy { ($0.value(forKey: "department") as? ManagedObject) != nil })
    employees[0].setValue("Anna", forKey: "name")
    try context.save()
    let text = try folder.text()
    let objects = try #require(text.range(of: "  \"objects\"")).lowerBound
    #expect(
      text[objects...] == """
          "objects": {
            "Department 4": {
              "name": "Dogs"
            },
            "Employee 7": {
              "hireDate": "2008-10-27T14:22:01.25Z",
              "name": "Anna",
              "department": "Department 4"
            },
            "Manager 9": {
              "level": 3,
              "name": "Bén",
              "salary": 1000,
              "department": "Department 4"
            }
          }
        }

        """)
  }

  @Test func `values of every type are read back exactly`() throws {
    let folder = try DocumentFolder(Samples.model, type: .json)
    let context = try folder.open().newBackgroundContext()
    let sample = Sample(context: context)
    (sample.short, sample.middle, sample.long) = (.min, .max, .min)
    (sample.flag, sample.real, sample.single) = (true, 0.1, 0.1)
    sample.date = Date(timeIntervalSinceReferenceDate: -700_000_000.123)
    sample.price = Decimal(string: "12.5")
    sample.text = "Fido\n\u{1B}[31m\u{0}🐕"
    sample.link = URL(string: "https://a.example/?a=1&b=2")
    sample.uuid = UUID(uuidString: "0E82928F-05F0-40AF-851B-1FA617A37DB3")
    sample.bytes = Data((0..<5).map { UInt8($0) })
    sample.next = sample
    let endless = Sample(context: context)
    (endless.real, endless.single) = (.infinity, -.infinity)
    endless.date = Date(timeIntervalSinceReferenceDate: 1e15)
    try context.save()
    let text = try folder.text()
    for line in [
      "\"short\": -32768", "\"middle\": 2147483647", "\"long\": -9223372036854775808",
      "\"flag\": true", "\"real\": 0.1", "\"single\": 0.1", "\"price\": 12.5",
      "\"date\": \"1978-10-27T03:33:19.877Z\"",
      "\"uuid\": \"0E82928F-05F0-40AF-851B-1FA617A37DB3\"",
      "\"link\": \"https://a.example/?a=1&b=2\"", "\"bytes\": \"AAECAwQ=\"",
      "\"text\": \"Fido\\n\\u001b[31m\\u0000🐕\"", "\"next\": \"Sample 1\"",
      "\"real\": \"Infinity\"", "\"single\": \"-Infinity\"", "\"date\": 1000000000000000",
    ] { #expect(text.contains("\n      \(line)"), "\(line)") }
    let again = try folder.open().newBackgroundContext()
    let found = try again.fetch(Sample.fetchRequest()).sorted { $0.primaryKey < $1.primaryKey }
    let one = try #require(found.first)
    #expect((one.short, one.middle, one.long) == (.min, .max, .min))
    #expect((one.flag, one.real, one.single) == (true, 0.1, 0.1))
    #expect(one.date == sample.date && one.price == sample.price && one.link == sample.link)
    #expect(one.uuid == sample.uuid && one.bytes == sample.bytes && one.next === one)
    #expect(one.text?.unicodeScalars.elementsEqual("Fido\n\u{1B}[31m\u{0}🐕".unicodeScalars) == true)
    #expect((found[1].real, found[1].single) == (.infinity, -.infinity))
    #expect(found[1].date == endless.date)
    one.text = "Rex"
    try again.save()
    one.text = sample.text
    try again.save()
    #expect(try folder.text() == text)
  }

  @Test func `metadata of every type are read back`() throws {
    let folder = try DocumentFolder(type: .json)
    _ = try folder.open()
    let own: [String: PropertyList] = [
      "list": .array([.integer(1), .real(1), .real(-0.5), .array([]), .dictionary([:])]),
      "data": .data(Data([1, 2, 3])), "big": .unsignedInteger(.max), "flag": .boolean(false),
      "date": .date(Date(timeIntervalSinceReferenceDate: -0.125)),
      "far": .date(Date(timeIntervalSinceReferenceDate: 1e300)),
      "looksLikeOne": .dictionary(["date": .string("today")]),
      "twice": .dictionary(["dictionary": .dictionary(["uid": .integer(1)])]),
      "endless": .real(-.infinity), "uid": .uid(7), "text": .string("<\u{1}>"),
    ]
    try PersistentStoreCoordinator.setMetadata(
      own, forPersistentStoreAt: folder.url, type: .json)
    let text = try folder.text()
    let coordinator = try folder.open().persistentStoreCoordinator
    let found = try coordinator.metadata(for: coordinator.persistentStores[0])
    #expect(found.filter { own[$0.key] != nil } == own)
    #expect(found["NSStoreType"] == .string("JSON"))
    try PersistentStoreCoordinator.setMetadata(
      own, forPersistentStoreAt: folder.url, type: .json)
    #expect(try folder.text() == text)
  }

  // MARK: Relationships

  @Test func `ordered members are only in their list, and are read back in its order`() throws {
    let folder = try DocumentFolder(Boxes.model(), type: .json)
    let context = try folder.open().newBackgroundContext()
    let box = Boxes.Box(named: "box", in: context)
    for name in ["a", "b", "c"] { box.things.append(Boxes.Thing(named: name, in: context)) }
    try context.save()
    box.things.move(fromOffset: 2, toOffset: 0)
    try context.save()
    let keys = box.things.map { "        \"Thing \($0.primaryKey)\"" }.joined(separator: ",\n")
    #expect(try folder.text().contains("\"things\": [\n\(keys)\n      ]"))
    #expect(!(try folder.text()).contains("\"box\": \"Box"))
    let again = try folder.open().newBackgroundContext()
    #expect(
      try again.fetch(Boxes.Box.fetchRequest())[0].things.map(\.name) == box.things.map(\.name))
  }

  // MARK: Other models

  @Test func `unknown properties are kept where versions are ignored`() throws {
    let folder = try DocumentFolder(
      type: .json,
      document: JSONStaff.document(
        """
            "Cat 3": {
              "owner": "Employee 1",
              "lives": [
                9,
                { "a": "b" }
              ],
              "friends": [
                "Employee 1",
                "Employee 2"
              ]
            },
            "Employee 1": {
              "shoes": {"size": 41}
            },
            "Employee 2": {
              "boss": "Employee 1"
            }
        """))
    let before = try folder.text()
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    let employees = try context.all("Employee")
    employees[0].setValue("Anna", forKey: "name")
    try context.save()
    #expect(
      try folder.text()
        == before.replacingOccurrences(
          of: "      \"shoes\"", with: "      \"name\": \"Anna\",\n      \"shoes\""))
    employees[0].setValue(nil, forKey: "name")
    try context.save()
    #expect(try folder.text() == before)
    // References to deleted objects are removed.
    context.delete(employees[0])
    try context.save()
    let after = try folder.text()
    #expect(!after.contains("Employee 1") && after.contains("\"Employee 2\": {}"))
    #expect(after.contains("\"friends\": [\n        \"Employee 2\"\n      ]"))
    #expect(after.contains("{ \"a\": \"b\" }"))
  }
}
