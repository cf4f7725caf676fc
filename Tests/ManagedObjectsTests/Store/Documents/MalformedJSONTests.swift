import Foundation
import ManagedObjects
import Testing

/// JSON stores with mistakes in them: they are refused with line and column, and stay as
/// they are.
@Suite struct MalformedJSONTests {
  @Test(arguments: [
    (
      #""Employee 7": {"salary": "many"}"#,
      #"6:26: "salary" of Employee 7 is not a whole number of 32 bits, such as 7"#
    ),
    (
      #""Employee 7": {"salary": 99999999999}"#,
      #"6:26: "salary" of Employee 7 is not a whole number of 32 bits, such as 7"#
    ),
    (
      #""Employee 7": {"salary": 1.5}"#,
      #"6:26: "salary" of Employee 7 is not a whole number of 32 bits, such as 7"#
    ),
    (
      #""Employee 7": {"hireDate": "today"}"#,
      #"6:28: "hireDate" of Employee 7 is not a date, such as "2026-11-21T09:00:00Z""#
    ),
    (
      #""Employee 7": {"hireDate": "2026-02-30T09:00:00Z"}"#,
      #"6:28: "hireDate" of Employee 7 is not a date, such as "2026-11-21T09:00:00Z""#
    ),
    (
      #""Employee 7": {"name": ["é"]}"#,
      #"6:24: "name" of Employee 7 is not a string in quotes"#
    ),
    (
      #""Employee 7": {"department": "Department 8"}"#,
      "6:16: the relationship 'department' of Employee 7 refers to Department 8, which does not exist"
    ),
    (
      "\"Department 8\": {}, \"é\": {},\n\"Employee 7\": {}",
      #"6:21: "é" is not the key of an object, such as "Dog 7""#
    ),
    (
      #""Employee 7": {"name": "é", "department": "Employee 7"}"#,
      #"6:43: "department" of Employee 7 refers to Employee 7, which is not of the entity Department"#
    ),
    (
      #""Employee 7": {"department": 8}"#,
      #"6:30: "department" of Employee 7 is not the key of an object, such as "Department 7""#
    ),
    (
      #""Department 7": {"employees": "Employee 8"}"#,
      #"6:31: "employees" of Department 7 is not a JSON array"#
    ),
    (
      "\"Department 7\": {\"employees\": [\"Manager 8\"]},\n\"Employee 8\": {}",
      "6:18: the relationship 'employees' of Department 7 refers to Manager 8, which does not exist"
    ),
    (
      "\"Department 7\": {\"employees\": [\"Employee 8\", \"Employee 8\"]},\n\"Employee 8\": {}",
      "6:18: the relationship 'employees' of Department 7 has Employee 8 twice"
    ),
    (
      "\"Department 7\": {\"employees\": [\"Employee 8\"]},\n\"Department 9\": {},\n"
        + "\"Employee 8\": {\"department\": \"Department 9\"}",
      "6:18: Department 7 has Employee 8 in 'employees', but its 'department' is Department 9"
    ),
    ("\"Employee 7\": {},\n\"Employee 7\": {}", "7:1: Employee 7 occurs twice"),
    (
      "\"Employee 7\": {},\n\"Department 7\": {}",
      "7:1: Department 7 has the number of Employee 7; all entities share their numbers"
    ),
    (#""Employee 07": {}"#, #"6:1: "Employee 07" is not the key of an object, such as "Dog 7""#),
    (
      #""Employee 7": {"name": "x", "name": "y"}"#, #"6:29: Employee 7 has "name" twice"#
    ),
    (#""Employee 7": []"#, "6:15: Employee 7 is not a JSON object"),
    (#""Employee 7": {"name": "x" "y"}"#, "6:28: a comma or } is missing"),
    (#""Employee 7": {"name": "x}"#, "6:27: a string contains a control character"),
    (#""Employee 7": {},"#, "7:1: a name in quotes is missing"),
  ])
  func `a malformed object is refused with its position`(
    objects: String, complaint: String
  ) throws {
    let folder = try DocumentFolder(
      type: .json,
      document: Data(
        """
        {
          "managedObjects": 1,
          "uuid": "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5",
          "metadata": {},
          "objects": {
        \(objects)
        }}
        """.utf8))
    #expect(try folder.complaint() == complaint)
  }

  @Test func `a key or value that the model does not have is refused with its position`() throws {
    let folder = try DocumentFolder(type: .json)
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue("Anna", forKey: "name")
    try context.save()
    let text = try folder.text()
    let line = text.split(separator: "\n").firstIndex { $0.contains("\"name\"") }! + 1
    for (old, new, complaint) in [
      ("\"name\"", "\"nmae\"", "\(line):7: the entity Employee has no property \"nmae\""),
      ("\"Employee 1\"", "\"Emloyee 1\"", "\(line - 1):5: the model has no entity Emloyee"),
    ] {
      try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: folder.url)
      #expect(try folder.complaint(ignoringVersions: false) == complaint)
    }
  }

  @Test(arguments: [
    ("[]", "1:1: a store begins with { \"managedObjects\": 1"),
    ("walks", "1:1: this is not a JSON value"),
    ("{}", "1:3: a store begins with { \"managedObjects\": 1"),
    (#"{"schema": 1}"#, #"1:2: a store begins with { "managedObjects": 1"#),
    (#"{"managedObjects": 2}"#, "1:20: the store has a newer format version than 1"),
    (#"{"managedObjects": 1}"#, #"1:22: the store has no "uuid""#),
    (#"{"managedObjects": 1, "uuid": ""}"#, "1:33: this is not a UUID"),
    (#"{"managedObjects": 1, "uuid": "x", "uuid": "y"}"#, #"1:36: "uuid" occurs twice"#),
    (#"{"managedObjects": 1, "dogs": 1}"#, #"1:23: a store has no "dogs""#),
    (
      #"{"managedObjects": 1, "uuid": "x", "highestID": -1}"#,
      #"1:51: "highestID" is not the number of an object"#
    ),
    (
      #"{"managedObjects": 1, "uuid": "x", "metadata": []}"#,
      "1:50: the metadata is not a JSON object"
    ),
    (
      #"{"managedObjects": 1, "uuid": "x", "metadata": {"a": {"base64": "?"}}}"#,
      "1:69: this is not a value of the kind \"base64\""
    ),
    (
      #"{"managedObjects": 1, "uuid": "x", "objects": {}} x"#,
      "1:51: something follows the end of the value"
    ),
  ])
  func `a malformed header is refused with its position`(document: String, complaint: String) throws
  {
    let folder = try DocumentFolder(type: .json, document: Data(document.utf8))
    #expect(try folder.complaint() == complaint)
  }

  @Test func `a truncated document is refused, and unchanged`() throws {
    let whole = JSONStaff.document(
      """
          "Department 1": {},
          "Employee 2": {
            "name": "Anna",
            "department": "Department 1"
          }
      """)
    for length in stride(from: 1, to: whole.count - 2, by: 5) {
      let folder = try DocumentFolder(type: .json, document: whole.prefix(length))
      let complaint = try folder.complaint()
      #expect(complaint != "none" && complaint != "the file was changed", "\(length)")
    }
  }

  @Test func `a value of many bytes is read and written`() throws {
    let folder = try DocumentFolder(type: .json)
    let context = try folder.open().newBackgroundContext()
    let name = String(repeating: "wuff \" ", count: 300_000)
    ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    try context.save()
    let again = try folder.open().newBackgroundContext()
    #expect(try again.all("Employee")[0].text("name") == name)
  }
}

enum JSONStaff {
  /// A JSON store with some objects, of no model.
  static func document(_ objects: String) -> Data {
    Data(
      """
      {
        "managedObjects": 1,
        "uuid": "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5",
        "metadata": {},
        "objects": {
      \(objects)
        }
      }

      """.utf8)
  }
}
