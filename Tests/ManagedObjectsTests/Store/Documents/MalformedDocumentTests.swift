import Foundation
import ManagedObjects
import Testing

/// Documents with mistakes in them: they are refused with the line, and are unchanged.
@Suite struct MalformedDocumentTests {
  @Test(arguments: [
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="salary" type="int32">many</attribute></object>"#,
      "11: the attribute 'salary' of z7 is not of the type int32"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="salary" type="int32">99999999999</attribute></object>"#,
      "11: the attribute 'salary' of z7 is not of the type int32"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="hiredate" type="date">nan</attribute></object>"#,
      "11: the attribute 'hiredate' of z7 is not of the type date"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><relationship name="department" idrefs="z8"></relationship></object>"#,
      "11: the relationship 'department' of z7 refers to z8, which does not exist"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><relationship name="department" idrefs="z7"></relationship></object>"#,
      "11: the relationship 'department' of z7 refers to z7, which is not of the entity Department"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><relationship name="department" idrefs="z7 z8"></relationship></object>"#,
      "11: the relationship 'department' of z7 refers to several objects"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><relationship name="department" idrefs="seven"></relationship></object>"#,
      "11: 'seven' is not the id of an object"
    ),
    (
      "<object type=\"EMPLOYEE\" id=\"z7\"></object>\n<object type=\"EMPLOYEE\" id=\"z7\"></object>",
      "12: another object has the id z7"
    ),
    (#"<object type="EMPLOYEE" id="z0"></object>"#, "11: 'z0' is not the id of an object"),
    (
      #"<object type="EMPLOYEE" id="z99999999999999999999"></object>"#,
      "11: 'z99999999999999999999' is not the id of an object"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="name">&dog;</attribute></object>"#,
      "11: unknown entity &dog;"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="name"><b>x</b></attribute></object>"#,
      "11: <attribute> has an element <b> in it"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="name"></attribute><attribute name="name">y</attribute></object>"#,
      "11: z7 has 'name' twice"
    ),
    (
      #"<object type="EMPLOYEE" id="z7"><attribute name="name">x"#,
      "12: </database> does not match <attribute> of line 11"
    ),
    ("<dog/>", "11: stores have no element <dog>"),
    ("dog", "10: there is text in <database>, outside its elements"),
    (
      "<object type=\"DEPARTMENT\" id=\"z7\"><relationship name=\"employees\" idrefs=\"z8 z8\"/></object>\n"
        + "<object type=\"EMPLOYEE\" id=\"z8\"/>",
      "11: the relationship 'employees' of z7 has z8 twice"
    ),
    (
      "<object type=\"DEPARTMENT\" id=\"z7\"><relationship name=\"employees\" idrefs=\"z8\"/></object>\n"
        + "<object type=\"EMPLOYEE\" id=\"z8\"><relationship name=\"department\" idrefs=\"z9\"/></object>\n"
        + "<object type=\"DEPARTMENT\" id=\"z9\"/>",
      "11: z7 has z8 in 'employees', but its 'department' is z9"
    ),
  ])
  func `a malformed object is refused with its line`(objects: String, complaint: String) throws {
    let folder = try DocumentFolder(document: Staff.document(objects))
    #expect(try folder.complaint() == complaint)
  }

  @Test(arguments: [
    ("", "none"), ("<gpx/>", "1: the root element is not <database>"),
    ("walks", "1: there is text outside the root element"),
    ("<database></database>", "1: there is no <databaseInfo> before the objects"),
    ("<database><databaseInfo></databaseInfo></database>", "1: <databaseInfo> has no <UUID>"),
    (
      "<database><databaseInfo><UUID>x</UUID><nextObjectID>-1</nextObjectID></databaseInfo></database>",
      "1: <nextObjectID> is not a number"
    ),
    (
      "<database><databaseInfo><UUID>x</UUID><metadata><plist><array/></plist></metadata></databaseInfo></database>",
      "1: the metadata is not a dictionary"
    ),
    (
      "<database><databaseInfo><UUID>x</UUID></databaseInfo>",
      "1: the text ends inside <database> of line 1"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><database/>",
      "1: the declared encoding is ISO-8859-1; only UTF-8 and UTF-16 are supported"
    ),
  ])
  func `a malformed header is refused with its line`(document: String, complaint: String) throws {
    let folder = try DocumentFolder(document: Data(document.utf8))
    #expect(try folder.complaint() == complaint)
  }

  @Test func `a truncated document is refused, and unchanged`() throws {
    let whole = Staff.document(
      """
          <object type="EMPLOYEE" id="z102">
              <attribute name="name" type="string">Anna</attribute>
              <relationship name="department" type="1/1" destination="DEPARTMENT"></relationship>
          </object>
      """)
    for length in stride(from: 1, to: whole.count, by: 7) {
      let folder = try DocumentFolder(document: whole.prefix(length))
      let complaint = try folder.complaint()
      #expect(complaint != "none" && complaint != "the file was changed", "\(length)")
    }
  }

  @Test func `entities that expand each other are unknown`() throws {
    var document = "<?xml version=\"1.0\"?>\n<!DOCTYPE database [<!ENTITY a0 \"dog\">"
    for level in 1..<30 { document += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">" }
    document += "]>\n<database><databaseInfo><UUID>&a29;</UUID></databaseInfo></database>"
    let folder = try DocumentFolder(document: Data(document.utf8))
    #expect(try folder.complaint() == "3: unknown entity &a29;")
  }

  @Test func `UTF-16 is read, and written as UTF-8`() throws {
    let document = String(
      decoding: Staff.document(
        "<object type=\"EMPLOYEE\" id=\"z7\"><attribute name=\"name\">é</attribute></object>"),
      as: UTF8.self)
    let folder = try DocumentFolder(
      document: Data([0xFF, 0xFE]) + document.data(using: .utf16LittleEndian)!)
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    try context.all("Employee")[0].setValue(Int32(1), forKey: "salary")
    try context.save()
    #expect(try folder.text().contains(">é</attribute>"))
  }

  @Test func `a value of many bytes is read and written`() throws {
    let folder = try DocumentFolder()
    let context = try folder.open().newBackgroundContext()
    let name = String(repeating: "wuff < ", count: 300_000)
    ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    try context.save()
    let again = try folder.open().newBackgroundContext()
    #expect(try again.all("Employee")[0].text("name") == name)
  }
}
