import DataFormats
import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// The documents of XML stores, byte by byte.
@Suite struct XMLDocumentTests {
  @Test func `a document of Apple's form is read`() throws {
    let folder = try DocumentFolder(
      document: Staff.document(
        """
            <object type="EMPLOYEE" id="z104">
                <attribute name="hiredate" type="date">246810121.25000000000000000000</attribute>
                <attribute name="salary" type="int32">4200</attribute>
                <attribute name="name" type="string">Anna</attribute>
                <relationship name="department" type="1/1" destination="DEPARTMENT" idrefs="z102"></relationship>
            </object>
            <object type="DEPARTMENT" id="z102">
                <attribute name="name" type="string">Dogs</attribute>
                <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z104"></relationship>
            </object>
            <object type="EMPLOYEE" id="z103">
                <relationship name="department" type="1/1" destination="DEPARTMENT"></relationship>
            </object>
        """))
    // Without version hashes it is of no model.
    #expect(throws: PersistentStoreError.self) { try folder.open() }
    let container = try folder.openIgnoringVersions()
    #expect(container.persistentStore.identifier == "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5")
    let context = container.newBackgroundContext()
    let employees = try context.all("Employee")
    #expect(employees.map(\.objectID.primaryKey) == [103, 104])
    #expect(employees.map { $0.text("name") } == [nil, "Anna"])
    #expect(
      employees[1].value(forKey: "hireDate") as? Date
        == Date(timeIntervalSinceReferenceDate: 246_810_121.25))
    #expect((employees[1].value(forKey: "department") as? ManagedObject)?.text("name") == "Dogs")
    #expect(employees[0].value(forKey: "department") == nil)
    let new = ManagedObject("Employee", in: context)
    try context.save()
    #expect(new.objectID.primaryKey == 106)
  }

  @Test func `a document is written as Apple writes one`() throws {
    let folder = try DocumentFolder()
    let container = try folder.open()
    let context = container.newBackgroundContext()
    let employee = ManagedObject("Employee", in: context)
    employee.setValue("Anna", forKey: "name")
    employee.setValue(Int32(-7), forKey: "salary")
    employee.setValue(Date(timeIntervalSinceReferenceDate: 0.1), forKey: "hireDate")
    try context.save()
    employee.setValue(ManagedObject("Department", in: context), forKey: "department")
    try context.save()
    let text = try folder.text()
    let objects = try #require(text.range(of: "    <object")).lowerBound
    #expect(
      text[objects...] == """
            <object type="EMPLOYEE" id="z102">
                <attribute name="hiredate" type="date">0.10000000000000000555</attribute>
                <attribute name="name" type="string">Anna</attribute>
                <attribute name="salary" type="int32">-7</attribute>
                <relationship name="department" type="0/1" destination="DEPARTMENT" idrefs="z103"></relationship>
            </object>
            <object type="DEPARTMENT" id="z103">
                <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z102"></relationship>
            </object>
        </database>
        """)
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(container.persistentStore.identifier)</UUID>
                <nextObjectID>103</nextObjectID>
                <metadata>
                    <plist version="1.0">
                        <dict>
                            <key>NSPersistenceFrameworkVersion</key>
                            <integer>
        """))
  }

  @Test func `an unchanged document is rewritten byte for byte`() throws {
    let folder = try DocumentFolder()
    let context = try folder.open().newBackgroundContext()
    for name in ["Anna", "Ben"] {
      ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    }
    try context.save()
    let before = try folder.text()
    let coordinator = try folder.open().persistentStoreCoordinator
    try coordinator.setMetadata(.string("x"), forKey: "own", of: coordinator.persistentStores[0])
    #expect(try folder.text() != before)
    try coordinator.setMetadata(nil, forKey: "own", of: coordinator.persistentStores[0])
    #expect(try folder.text() == before)
  }

  @Test func `a Float is found by its value, saved or read`() throws {
    let folder = try DocumentFolder(Samples.model)
    let context = try folder.open().newBackgroundContext()
    Sample(context: context).single = 0.1
    try context.save()
    var request = Sample.fetchRequest()
    request.predicate = try .init(format: "single == %@", Double(0.1 as Float))
    #expect(try context.fetch(request).count == 1)
    let again = try folder.open().newBackgroundContext()
    #expect(try again.fetch(request).count == 1)
    #expect(try folder.text().contains("\"single\" type=\"float\">0.1<"))
  }

  // MARK: Strings

  @Test(arguments: [
    ("a\\b", "a\\\\b"), ("<&>", "\\u3c00\\u2600\\u3e00"), ("\u{FEFF}", "\\ufffe"),
    ("🐕", "\\u3dd8\\u15dc"), ("'\"\t\né", "'\"\t\né"), ("か한\u{D7FF}", "か한\u{D7FF}"),
    ("\r\u{1}", "\\u0d00\\u0100"), ("\u{E000}x\u{FFFD}", "\\u00e0x\\ufdff"), ("", ""),
    ("\\u3c00", "\\\\u3c00"), ("\u{0}", "\\u0000"), (" a ", " a "),
  ])
  func `strings are escaped, and read back`(text: String, written: String) throws {
    let folder = try DocumentFolder()
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue(text, forKey: "name")
    try context.save()
    let document = try folder.text()
    #expect(document.contains("<attribute name=\"name\" type=\"string\">\(written)</attribute>"))
    let again = try folder.open().newBackgroundContext()
    let found = try #require(try again.all("Employee")[0].text("name"))
    #expect(found.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func `raw text is read, too`() throws {
    let folder = try DocumentFolder(
      document: Staff.document(
        """
            <object type="EMPLOYEE" id="z102"><attribute name="name" type="string">&lt;b&amp;&#x1F415;<![CDATA[<&]]> \\q\\u12</attribute></object>
        """))
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    #expect(try context.all("Employee")[0].text("name") == "<b&🐕<& \\q\\u12")
  }

  // MARK: Values

  @Test(arguments: [
    (0, "0.00000000000000000000"), (-0.5, "-0.50000000000000000000"),
    (246_810_121.25, "246810121.25000000000000000000"), (0.1, "0.10000000000000000555"),
    (1e-20, "0.00000000000000000001"), (4e-21, "0.00000000000000000000"),
    (0.999_999_999_999_999_9, "0.99999999999999988898"),
    (687_434_554.123_456, "687434554.12345600128173828125"), (1e300, "1e+300"),
    (9_007_199_254_740_992, "9007199254740992.00000000000000000000"),
  ])
  func `dates have twenty decimals`(seconds: Double, written: String) {
    var text: [UInt8] = []
    text.append(xmlDate: seconds)
    #expect(String(decoding: text, as: UTF8.self) == written)
  }

  @Test func `random dates have the digits that C writes`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let exponent = Double.random(in: -30...17, using: &random)
      let seconds = Double.random(in: -1...1, using: &random) * pow(10, exponent)
      var text: [UInt8] = []
      text.append(xmlDate: seconds)
      #expect(
        String(decoding: text, as: UTF8.self) == String(format: "%.20f", seconds), "SEED=\(seed)")
    }
  }

  @Test func `values of every type are read back`() throws {
    let folder = try DocumentFolder(Samples.model)
    let context = try folder.open().newBackgroundContext()
    let sample = Sample(context: context)
    (sample.short, sample.middle, sample.long) = (.min, .max, .min)
    (sample.flag, sample.real, sample.single) = (true, 0.1, 0.1)
    sample.date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
    sample.price = Decimal(string: "12.5")
    sample.text = "Fido"
    sample.link = URL(string: "https://a.example/?a=1&b=2")
    sample.uuid = UUID(uuidString: "0E82928F-05F0-40AF-851B-1FA617A37DB3")
    sample.bytes = Data((0..<150).map { UInt8($0) })
    sample.next = sample
    try context.save()
    let text = try folder.text()
    for line in [
      "\"short\" type=\"int16\">-32768<", "\"middle\" type=\"int32\">2147483647<",
      "\"long\" type=\"int64\">-9223372036854775808<", "\"flag\" type=\"bool\">1<",
      "\"real\" type=\"double\">0.1<", "\"single\" type=\"float\">0.1<",
      "\"price\" type=\"decimal\">12.5<", "type=\"uuid\">0E82928F-05F0-40AF-851B-1FA617A37DB3<",
      "\"link\" type=\"uri\">https://a.example/?a=1\\u2600b=2<",
      "type=\"0/1\" destination=\"SAMPLE\" idrefs=\"z102\">",
    ] { #expect(text.contains(line), "\(line)") }
    let digits = try #require(text.range(of: "\"bytes\" type=\"binary\">")).upperBound
    let lines = text[digits...].prefix { $0 != "<" }.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.map(\.utf8.count) == [76, 124, 0])
    let again = try folder.open().newBackgroundContext()
    let found = try #require(try again.fetch(Sample.fetchRequest()).first)
    #expect((found.short, found.middle, found.long) == (.min, .max, .min))
    #expect((found.flag, found.real, found.single) == (true, 0.1, 0.1))
    #expect(found.date == sample.date && found.price == sample.price && found.link == sample.link)
    #expect(found.uuid == sample.uuid && found.bytes == sample.bytes && found.next === found)
    // Read and rewritten, it is the same.
    found.text = "Rex"
    try again.save()
    found.text = "Fido"
    try again.save()
    #expect(try folder.text() == text)
  }

  // MARK: Order

  @Test func `ordered members are written in order, and read back in it`() throws {
    let folder = try DocumentFolder(Boxes.model())
    let context = try folder.open().newBackgroundContext()
    let box = Boxes.Box(named: "box", in: context)
    for name in ["a", "b", "c"] { box.things.append(Boxes.Thing(named: name, in: context)) }
    try context.save()
    box.things.move(fromOffset: 2, toOffset: 0)
    try context.save()
    let ids = box.things.map { "z\($0.objectID.primaryKey!)" }.joined(separator: " ")
    #expect(try folder.text().contains("destination=\"THING\" idrefs=\"\(ids)\""))
    let again = try folder.open().newBackgroundContext()
    #expect(
      try again.fetch(Boxes.Box.fetchRequest())[0].things.map(\.name) == box.things.map(\.name))
  }

  @Test func `one side of a relationship is enough`() throws {
    let folder = try DocumentFolder(
      document: Staff.document(
        """
            <object type="EMPLOYEE" id="z102">
                <relationship name="department" idrefs="z104"></relationship>
            </object>
            <object type="EMPLOYEE" id="z103"></object>
            <object type="DEPARTMENT" id="z104">
                <relationship name="employees" idrefs="z103"></relationship>
            </object>
        """))
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    let department = try context.all("Department")[0]
    #expect((department.value(forKey: "employees") as? Set<ManagedObject>)?.count == 2)
  }
}
