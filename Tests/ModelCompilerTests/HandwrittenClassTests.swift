import Testing

@testable import ModelCompiler

@Suite struct `Handwritten classes` {
  @Test(arguments: [
    "class Dog {}", "public final class Dog: ManagedObject {",
    "@objc(Dog)\nopen class Dog: Animal {",
    "#if os(Linux)\nclass `Dog` {}\n#endif", "nonisolated\nclass\nDog\n:\nManagedObject{}",
    "let a = \"}\"\nclass Dog {}", "let a = #\"\"}\"#\nclass Dog {}",
    "/* /* } */ } */ class Dog {}",
    "let a = \"\\\\\"; class Dog {}", "let a = #\"\\#\"}\"#; class Dog {}",
    "let a = \"\"\"\n\"\" } \\\"\"\"\n\"\"\"\nclass Dog {}",
    #"let a = "\(flag ? "{" : "a \("{" + ")") b")"; class Dog {}"#,
    ##"let a = #"\("(" "{")\#("{" /* ) */)"#; class Dog {}"##,
  ])
  func `are found`(text: String) {
    #expect(HandwrittenClasses(in: [text]).contains("Dog"))
  }

  @Test(arguments: [
    "", "// class Dog {}", "/* class Dog {} */", "\"class Dog {}\"",
    "struct Kennel { class Dog {} }",
    "func f() { class Dog {} }", "extension Dog {}", "struct Dog {}", "class Dogs {}",
    "let dog = Dog.class",
    "\"\"\"\nclass Dog {}\n\"\"\"", "#\"\"\"\nclass Dog {} \"\"\" class Dog\n\"\"\"#", "\"", "/*",
    "#\"", "class",
  ])
  func `are not found where there are none`(text: String) {
    #expect(!HandwrittenClasses(in: [text]).contains("Dog"))
  }

  @Test(arguments: [
    ("public final class Dog {}", true), ("@objc(Dog) open class Dog {}", true),
    ("public import Kennel\nclass Dog {}", false), ("public struct Cat {}\nclass Dog {}", false),
    ("public class Cat {}\nfinal class Dog {}", false), ("class Dog { public var a = 1 }", false),
    ("public let a = 1; class Dog {}", false),
    ("public typealias Pet = Cat\nclass Dog {}", false),
    ("public actor Cat {}\nclass Dog {}", false),
  ])
  func `are public where declared so`(text: String, isPublic: Bool) {
    #expect(HandwrittenClasses(in: [text]).isPublic("Dog") == isPublic)
  }

  @Test func `have the members of their bodies and extensions`() {
    let classes = HandwrittenClasses(in: [
      """
      class Dog: Animal {
        var name = "", age: Int = 1
        let `default` = 1
        @NSManaged var weight: Double
        static func bark() {}
        func sit(at place: Int) { var inner = 1 }
      }
      """,
      "extension Dog { @NSManaged public var call: String?\n var tail: Int { 1 } }",
      "extension Cat { var lives: Int { 9 } }",
      "extension Kennel.Dog: Kennel.Barking { var voice: String { \"wuff\" } }",
    ])
    #expect(classes.members(of: "Dog") == ["name", "default", "bark", "sit", "tail", "voice"])
    #expect(!classes.contains("Cat"))
  }
}
