import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// The meaning of predicates: in SQL, in memory, over unsaved changes and object by object.
@Suite struct PredicateMeaningTests {
  /// Ann has Rex (two walks) and Tom (one); Bob has Ann's cat as favourite; nobody owns Stray.
  private enum Setting: CaseIterable {
    case sql, sqlUnsaved, sqlTouched, memory, memoryUnsaved, memoryTouched

    func context() throws -> Stack {
      let isSQL = self == .sql || self == .sqlUnsaved || self == .sqlTouched
      let stack = try Stack(isSQL ? .sqlite : .inMemory)
      let context = stack.context
      func dog(_ name: String, _ target: Int16?, _ walks: [(Double?, String?, String?)]) {
        let dog = Dog(context: context)
        (dog.name, dog.nameKey, dog.targetMinutes) = (name, name.lowercased(), target)
        for (place, (minutes, note, walker)) in walks.enumerated() {
          let walk = Walk(context: context)
          walk.date = Date(timeIntervalSinceReferenceDate: Double(place) * 3600)
          walk.duration = minutes.map { $0 * 60 }
          walk.note = note
          walk.walker = walker.map { name in
            let walker = Walker(context: context)
            (walker.name, walker.nameKey) = (name, UUID().uuidString)
            return walker
          }
          dog.addToWalks(walk)
        }
      }
      dog("Fido", 60, [(30, "rain", "Ann"), (45, nil, "Bob"), (nil, "Rain & wind", nil)])
      dog("Rex", nil, [(90, "café", "Ann"), (20, "cafe", "ann")])
      dog("Tom", 30, [])
      if self != .sqlUnsaved && self != .memoryUnsaved { try context.save() }
      if self == .sqlTouched || self == .memoryTouched {
        // Every object has been changed, to the value it had.
        for dog in try context.fetch(Dog.fetchRequest()) { dog.name = dog.name }
        for walk in try context.fetch(Walk.fetchRequest()) { walk.note = walk.note }
        for walker in try context.fetch(Walker.fetchRequest()) { walker.name = walker.name }
      }
      return stack
    }
  }

  private func dogs(
    _ format: String, _ arguments: (any FetchPredicateArgument)?..., in stack: Stack
  ) throws -> [String] {
    var request = Dog.fetchRequest()
    request.predicate = try FetchPredicate(format: format, argumentArray: arguments)
    request.sortDescriptors = [.init(key: "nameKey")]
    let fetched = try stack.context.fetch(request)
    #expect(try stack.context.count(for: request) == fetched.count)
    let all = try stack.context.fetch(Dog.fetchRequest())
    #expect(try Set(all.filtered(using: request.predicate!)) == Set(fetched), "\(format)")
    return fetched.map(\.name)
  }

  @Test(arguments: [
    ("walks.@count == 0", ["Tom"]), ("walks[SIZE] > 2", ["Fido"]),
    ("walks.@sum.duration > 5000", ["Rex"]), ("walks.@sum.duration == 0", ["Tom"]),
    ("walks.@avg.duration < 1600", ["Fido", "Tom"]), ("walks.@max.duration == 5400", ["Rex"]),
    ("walks.@min.duration == NULL", ["Tom"]), ("walks.@min.duration < 1500", ["Rex"]),
    ("walks.@median.duration == 2250", ["Fido"]), ("walks.@median.duration == 3300", ["Rex"]),
    ("stddev(walks.duration) == 2100", ["Rex"]), ("median(walks.duration) == NULL", ["Tom"]),
    ("ln(exp(targetMinutes)) BETWEEN {59.9, 60.1}", ["Fido"]),
    ("log(targetMinutes) < 1.5", ["Tom"]),
    ("ln(0 - targetMinutes) == NULL", ["Fido", "Rex", "Tom"]),
    ("exp(0) == 1", ["Fido", "Rex", "Tom"]),
    ("targetMinutes == max(targetMinutes)", ["Fido"]), ("nameKey == min(nameKey)", ["Fido"]),
    ("targetMinutes > average(targetMinutes)", ["Fido"]), ("@count == 3", ["Fido", "Rex", "Tom"]),
    ("SUBQUERY(walks, $w, $w.duration > max(targetMinutes) * 60).@count == 1", ["Rex"]),
    ("ANY walks.duration > 2500", ["Fido", "Rex"]), ("ALL walks.duration > 1000", ["Rex", "Tom"]),
    ("NONE walks.duration > 4000", ["Fido", "Tom"]), ("ANY walks.duration == NULL", ["Fido"]),
    ("ALL walks.note != NULL", ["Rex", "Tom"]), ("NOT ANY walks.walker.name == 'Ann'", ["Tom"]),
    ("ANY walks.note BEGINSWITH 'caf'", ["Rex"]), ("ANY walks.note CONTAINS[c] 'RAIN'", ["Fido"]),
    ("ANY walks.note LIKE[d] 'café'", ["Rex"]),
    ("ALL walks.walker.name ==[c] 'ANN'", ["Rex", "Tom"]),
    ("ANY walks.walker.name IN {'Bob', 'Eve'}", ["Fido"]), ("'Bob' IN walks.walker.name", ["Fido"]),
    ("ANY walks.note IN[cd] {'RAIN', name}", ["Fido"]), ("'Café' IN[cd] walks.note", ["Rex"]),
    ("ALL walks.walker.name IN[c] {'ANN', 'EVE', NULL}", ["Rex", "Tom"]),
    ("NOT nameKey IN[c] {'FIDO', 'TÔM'}", ["Rex", "Tom"]), ("nameKey IN[d] {'TOM'}", []),
    ("name IN[cd] {'fidó', 'tõm'}", ["Fido", "Tom"]),
    ("'x' IN[c] {'X', name}", ["Fido", "Rex", "Tom"]),
    ("walks.walker.name CONTAINS 'Bob'", ["Fido"]),
    ("ANY walks.note MATCHES '[a-z]{4}'", ["Fido", "Rex"]),
    ("ANY walks.dog.name == 'Fido'", ["Fido"]), ("ANY walks.dog.walks.duration > 5000", ["Rex"]),
    (
      "SUBQUERY(walks, $w, $w.duration > 1500 AND $w.walker.name == 'Ann').@count == 1",
      ["Fido", "Rex"]
    ),
    ("SUBQUERY(walks, $w, $w.duration > targetMinutes * 60 / 2).@count > 0", ["Fido"]),
    ("SUBQUERY(walks, $w, $w.dog == SELF).@count == walks.@count", ["Fido", "Rex", "Tom"]),
    (
      "SUBQUERY(walks, $w, SUBQUERY($w.dog.walks, $v, $v.duration > $w.duration).@count == 0).@count > 1",
      ["Fido"]
    ),
    ("ANY SUBQUERY(walks, $w, $w.note != NULL).duration > 5000", ["Rex"]),
    ("SUBQUERY(walks, $w, $w.walker.name == 'Ann').@sum.duration == 1800", ["Fido"]),
    ("targetMinutes * 60 == walks.@min.duration * 2", ["Fido"]),
    ("targetMinutes + 30 == 60", ["Tom"]), ("targetMinutes / 0 == NULL", ["Fido", "Rex", "Tom"]),
    ("targetMinutes == NULL", ["Rex"]), ("NOT (targetMinutes > 30)", ["Rex", "Tom"]),
    ("targetMinutes != 60", ["Rex", "Tom"]), ("targetMinutes BETWEEN {30, 59}", ["Tom"]),
    ("targetMinutes IN {30, NULL}", ["Rex", "Tom"]),
    ("NOT targetMinutes IN {30}", ["Fido", "Rex"]),
    ("name ==[c] nameKey", ["Fido", "Rex", "Tom"]), ("name == nameKey", []),
    ("lowercase(name) == nameKey", ["Fido", "Rex", "Tom"]), ("length(name) > 3", ["Fido"]),
    ("name < 'Rex'", ["Fido"]), ("'Rex' <= name", ["Rex", "Tom"]), ("name ENDSWITH 'o'", ["Fido"]),
    ("name BEGINSWITH ''", ["Fido", "Rex", "Tom"]), ("'To' IN name", ["Tom"]),
    ("name IN[c] {'fido', 'REX'}", ["Fido", "Rex"]),
    ("modulus:by:(targetMinutes, 40) == 20", ["Fido"]),
    ("(targetMinutes & 32) > 0", ["Fido"]),
    ("2 ** 3 == 8 AND abs(-1) == 1", ["Fido", "Rex", "Tom"]),
    ("walks[FIRST].walker.name == 'Ann'", ["Fido", "Rex"]),
    ("walks[LAST].walker.name == 'ann'", ["Rex"]),
    ("walks[1].walker.name == 'Bob'", ["Fido"]), ("walks[FIRST] == NULL", ["Tom"]),
    ("walks[2].date != NULL", ["Fido"]), ("walks[LAST].dog.name == 'Rex'", ["Rex"]),
    ("walks[last].duration / walks[first].duration < 1", ["Rex"]),
    ("SUBQUERY(walks, $w, $w.duration > 1500)[LAST].walker.name == 'Bob'", ["Fido"]),
    ("{'Rex', 'Tom'}[LAST] == name", ["Tom"]), ("{1, 2}[SIZE] == 2 AND name == 'Rex'", ["Rex"]),
    ("{1}[1] == NULL AND name == 'Rex'", ["Rex"]),
    ("{'Rex', 'Tom'} CONTAINS name", ["Rex", "Tom"]),
    ("{30, 60} CONTAINS targetMinutes", ["Fido", "Tom"]),
    ("{1, 2} CONTAINS 2 AND name == 'Rex'", ["Rex"]), ("{1, 2} CONTAINS 3", []),
    ("{'rex'} CONTAINS[c] name", ["Rex"]),
    ("TERNARY(targetMinutes == NULL, 0, targetMinutes) < 31", ["Rex", "Tom"]),
    ("TERNARY(name == 'Fido', walks.@count, 7) == 3", ["Fido"]),
    ("TERNARY(ANY walks.walker.name == 'Bob', name, nameKey) == 'Fido'", ["Fido"]),
    (
      "SUBQUERY(walks, $w, TERNARY($w.duration > 2000, $w.duration, 0) / 2 == 0).@count == 1",
      ["Rex"]
    ),
    ("ternary(walks.@count > 2, 'many', NULL) == 'many'", ["Fido"]),
    ("TRUEPREDICATE", ["Fido", "Rex", "Tom"]), ("FALSEPREDICATE OR name == 'Tom'", ["Tom"]),
    ("ALL walks.date < now()", ["Fido", "Rex", "Tom"]),
    ("ANY walks.date == CAST(7200, 'NSDate')", ["Fido"]),
    ("walks.@max.date / 2 == 3600", ["Fido"]),
    ("SUBQUERY(walks, $w, $w.date / 7200 == 0.5).@count == 1", ["Fido", "Rex"]),
  ])
  func `a text finds the expected dogs`(format: String, names: [String]) throws {
    for setting in Setting.allCases {
      let stack = try setting.context()
      #expect(try dogs(format, in: stack) == names, "\(setting)")
    }
  }

  @Test func `MATCHES handles line breaks`() throws {
    for setting in Setting.allCases {
      let stack = try setting.context()
      let fido = try #require(
        try stack.context.fetch(Dog.fetchRequest()).first { $0.name == "Fido" })
      fido.name = "a\nb"
      for (pattern, matches) in [
        (".*^b$", true), ("^a$.*", true), ("a$\\nb", true), ("a\\n^b", true), ("a.b", true),
        ("^b$", false), ("^a$", false),
      ] {
        #expect(
          try dogs("name MATCHES %@", pattern, in: stack) == (matches ? ["a\nb"] : []),
          "\(pattern), \(setting)")
      }
      #expect(try dogs("name LIKE 'a*' AND name LIKE 'a?b'", in: stack) == ["a\nb"])
    }
  }

  @Test func `lists of numbers are summed when they are parsed`() throws {
    let stack = try Stack(.inMemory)
    try stack.dog("Fido")
    for format in [
      "sum({1, 2, 3}) == 6", "average:({1, 2, 3}) == 2", "count({1, 'x'}) == 2",
      "max({1, 3, 2.5}) == 3", "min:({3, 1.5}) == 1.5", "min({}) == NULL", "sum({}) == 0",
    ] {
      #expect(try dogs(format, in: stack) == ["Fido"], "\(format)")
    }
    #expect(try dogs("sum(%@) == 6", [1, 2, 3], in: stack) == ["Fido"])
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: "sum({'a'}) == 1") }
  }

  @Test func `objects, their IDs and lists of them`() throws {
    for setting in Setting.allCases {
      let stack = try setting.context()
      let all = try stack.context.fetch(Dog.fetchRequest())
      let fido = try #require(all.first { $0.name == "Fido" })
      let walk = try #require(fido.walks.first)
      #expect(try dogs("SELF == %@", fido, in: stack) == ["Fido"])
      #expect(try dogs("SELF.objectID IN %@", [fido.objectID], in: stack) == ["Fido"])
      #expect(try dogs("SELF != %@", fido, in: stack) == ["Rex", "Tom"])
      #expect(try dogs("%@ IN walks", walk, in: stack) == ["Fido"])
      #expect(try dogs("walks CONTAINS %@", walk, in: stack) == ["Fido"])
      #expect(try dogs("ANY walks == %@", walk, in: stack) == ["Fido"])
      #expect(try dogs("ANY walks IN %@", Set(fido.walks), in: stack) == ["Fido"])
      #expect(try dogs("walks CONTAINS %@", walk, in: stack) == ["Fido"])
      #expect(try dogs("ANY walks CONTAINS %@", walk, in: stack) == ["Fido"])
      #expect(try dogs("NONE walks CONTAINS %@", walk, in: stack) == ["Rex", "Tom"])
      #expect(try dogs("ALL walks.dog CONTAINS %@", fido, in: stack) == ["Fido", "Tom"])
      #expect(
        try dogs("SUBQUERY(walks, $w, ANY $w.dog.walks CONTAINS %@).@count > 0", walk, in: stack)
          == ["Fido"])
      #expect(try dogs("NONE walks == %@", walk, in: stack) == ["Rex", "Tom"])
      #expect(try dogs("ANY walks.dog == %@", fido, in: stack) == ["Fido"])
      #expect(try dogs("%@ == %@", fido, fido.objectID, in: stack) == ["Fido", "Rex", "Tom"])
      #expect(try dogs("%@ == %@", fido, walk, in: stack) == [])
      if !fido.objectID.isTemporaryID {
        let predicate = FetchPredicate.object(isIn: [fido.objectID])
        #expect(try dogs(predicate.predicateFormat, in: stack) == ["Fido"])
      }
    }
  }

  @Test func `lists longer than SQLite's parameter limit`() throws {
    for type in Stack.allTypes {
      let stack = try Stack(type)
      try stack.dog("Fido", minutes: [7, 40_000, 50_000])
      var request = Walk.fetchRequest()
      for list in [101, 40_001] {
        let seconds = (0..<list).map { Double($0) * 60 }
        request.predicate = try FetchPredicate(format: "duration IN %@", seconds)
        #expect(try stack.context.count(for: request) == (list > 40_000 ? 2 : 1))
        request.predicate = try FetchPredicate(format: "NOT duration IN %@", seconds)
        #expect(try stack.context.count(for: request) == (list > 40_000 ? 1 : 2))
      }
      let texts = (0..<40_000).map { "Dog \($0)\0" } + ["Fido"]
      var dogs = Dog.fetchRequest()
      dogs.predicate = try FetchPredicate(format: "name IN %@ AND nameKey IN %@", texts, ["fido"])
      #expect(try stack.context.fetch(dogs).map(\.name) == ["Fido"])
    }
  }

  @Test func `a to-many with unsaved changes`() throws {
    for type in Stack.allTypes {
      let stack = try Stack(type)
      let fido = try stack.dog("Fido", minutes: [10, 20, 30])
      try stack.dog("Rex", minutes: [40])
      let other = stack.anotherContext()
      func names(_ format: String) throws -> [String] {
        var request = Dog.fetchRequest()
        request.predicate = try FetchPredicate(format: format)
        request.sortDescriptors = [.init(key: "nameKey")]
        return try other.fetch(request).map(\.name)
      }
      _ = fido
      var walks = Walk.fetchRequest()
      walks.predicate = .comparison("duration", .equal, .double(1800))
      let walk = try #require(try other.fetch(walks).first)
      walk.dog = try other.fetch(Dog.fetchRequest()).first { $0.name == "Rex" }
      #expect(try names("walks.@count == 2") == ["Fido", "Rex"])
      #expect(try names("ANY walks.duration == 1800") == ["Rex"])
      walk.duration = 1
      #expect(try names("ANY walks.duration == 1") == ["Rex"])
      #expect(try names("ANY walks.duration == 1800") == [])
      other.delete(walk)
      #expect(try names("walks.@count == 1") == ["Rex"])
      #expect(try names("ALL walks.duration > 100") == ["Fido", "Rex"])
      let added = Walk(context: other)
      added.date = .now
      added.duration = 5
      added.dog = try other.fetch(Dog.fetchRequest()).first { $0.name == "Fido" }
      #expect(try names("walks.@sum.duration == 1805") == ["Fido"])
      #expect(try names("ANY walks.dog.walks.duration == 5") == ["Fido"])
    }
  }
}
