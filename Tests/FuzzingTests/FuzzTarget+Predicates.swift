import DataModel
import Foundation

@testable import ManagedObjects

extension FuzzTarget {
  /// Texts of predicates: what is parsed prints a text that is parsed as the same; an error has a
  /// position in the text.
  static let predicates = FuzzTarget(name: "predicates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    // A derived attribute's expression is a text of the same kind.
    _ = DerivationExpression(text).canonicalText
    _ = try? Derivation(text)
    let predicate: FetchPredicate
    do {
      predicate = try FetchPredicate(format: text, argumentArray: [])
    } catch let error as PredicateFormatError {
      let isInside = error.format == text && (0...text.utf8.count).contains(error.position)
      return isInside && !error.reason.isEmpty && error.description.contains("^")
        ? nil : "\(text.debugDescription): the error has no position or no reason"
    }
    let printed = predicate.predicateFormat
    do {
      return try FetchPredicate(format: printed) == predicate
        ? nil : "\(text.debugDescription) is printed as \(printed.debugDescription)"
    } catch let error as PredicateFormatError where error.reason == "this is nested too deeply" {
      // Printing adds parentheses.
      return nil
    }
  }

  /// Predicates that fit a model: SQL and memory find the same objects, or both refuse it.
  static let fetches = FuzzTarget(name: "fetches") { bytes in
    guard let predicate = try? FetchPredicate(format: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    let answers = try FuzzStore.all.map { store in
      do {
        return try store.names(predicate)
      } catch let error as PredicateBindingError {
        return ["refused: \(error.reason)"]
      }
    }
    return answers[0] == answers[1]
      ? nil : "\(predicate.predicateFormat): SQL gives \(answers[0]), memory \(answers[1])"
  }

  /// What a store's undo log holds.
  static let undoLogs = FuzzTarget(name: "undologs") { bytes in
    var reader = UndoReader(bytes, from: 0, maximumRowCount: 1_000_000)
    while (try? reader.next()) ?? nil != nil {}
    return nil
  }
}

/// A store with some people and their animals, in a file or in memory.
final class FuzzStore: Sendable {
  static let all = [FuzzStore(isFile: true), FuzzStore(isFile: false)]

  private let container: PersistentContainer
  private let folder: URL

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      properties: [
        attribute("name", .string), attribute("age", .integer16), attribute("height", .double),
        attribute("born", .date), attribute("isHome", .boolean), attribute("wealth", .decimal),
        attribute("key", .uuid), attribute("page", .uri), attribute("bytes", .binaryData),
        relationship("pets", "Animal", inverse: "owner", isToMany: true),
        relationship("friends", "Person", inverse: "friends", isToMany: true),
        relationship("boss", "Person", inverse: "staff"),
        relationship("staff", "Person", inverse: "boss", isToMany: true),
      ]),
    EntityDescription(
      name: "Animal",
      properties: [
        attribute("name", .string), attribute("age", .integer64),
        relationship("owner", "Person", inverse: "pets"),
      ]),
    EntityDescription(
      name: "Dog", superentityName: "Animal", properties: [attribute("call", .string)]),
  ])

  private static func attribute(
    _ name: String, _ type: AttributeDescription.AttributeType
  ) -> PropertyDescription {
    .attribute(.init(name: name, type: type, isOptional: true))
  }

  private static func relationship(
    _ name: String, _ destination: String, inverse: String, isToMany: Bool = false
  ) -> PropertyDescription {
    .relationship(
      .init(
        name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true,
        maxCount: isToMany ? 0 : 1))
  }

  private init(isFile: Bool) {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      container = try PersistentContainer(
        name: "Fuzz", model: Self.model,
        storeURL: isFile ? folder.appending(path: "store.sqlite") : nil)
      try fill()
    } catch {
      fatalError("no store to try predicates on: \(error)")
    }
    // A store whose file is gone is refused, so the file stays until the program ends.
    if isFile { atexit { try? FileManager.default.removeItem(at: FuzzStore.all[0].folder) } }
  }

  private func fill() throws {
    let context = container.newBackgroundContext()
    var people: [ManagedObject] = []
    for (number, name) in ["Ana", "ana", "Ümit", "e\u{301}", "", "Zoë", nil].enumerated() {
      let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue(name, forKey: "name")
      if number % 3 != 0 {
        person.setValue(Int16(number * 10 - 20), forKey: "age")
        person.setValue(Double(number) / 4, forKey: "height")
        person.setValue(number % 2 == 0, forKey: "isHome")
        person.setValue(Decimal(number) / 10, forKey: "wealth")
        person.setValue(
          Date(timeIntervalSinceReferenceDate: Double(number) * 86_400), forKey: "born")
        person.setValue(Data([UInt8(number), 0xFF]), forKey: "bytes")
        person.setValue(URL(string: "https://example.org/\(number)"), forKey: "page")
      }
      if let boss = people.last { person.setValue(boss, forKey: "boss") }
      if number > 2 { person.setValue(Set(people.prefix(2)), forKey: "friends") }
      people.append(person)
    }
    for (number, name) in ["Fido", "Rex", "fido", nil, "Luna"].enumerated() {
      let isDog = number % 2 == 0
      let animal = EntityDescription.insertNewObject(
        forEntityName: isDog ? "Dog" : "Animal", into: context)
      animal.setValue(name, forKey: "name")
      animal.setValue(Int64(number) - 1, forKey: "age")
      if isDog { animal.setValue("wuff \(number)", forKey: "call") }
      if number != 3 { animal.setValue(people[number % 2], forKey: "owner") }
    }
    try context.save()
  }

  /// The objects that a predicate finds, in order, of each entity that it fits.
  func names(_ predicate: FetchPredicate) throws -> [String] {
    let context = container.newBackgroundContext()
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = predicate
    request.sortDescriptors = [.init(key: "name"), .init(key: "age")]
    return try context.fetch(request).map {
      "\($0.value(forKey: "name") ?? "nil") \($0.value(forKey: "age") ?? "nil")"
    }
  }
}
