/// The classes that Swift files declare, and which members each of them declares itself.
///
///     let classes = HandwrittenClasses(in: ["public class Dog: ManagedObject { var name: String { … } }"])
///     classes.members(of: "Dog")   // ["name"]
///
/// momc writes no class that is there already, and no accessor that a class of a developer has.
struct HandwrittenClasses: Sendable {
  private var membersByClass: [String: Set<String>] = [:]
  private var names: Set<String> = []
  private var publicNames: Set<String> = []
  /// Whether a file imports CoreDataNames: then accessors have the types that Xcode gives them.
  private(set) var importsCoreDataNames = false

  /// No files: nothing is written by hand.
  init() {}

  /// Reads the texts of Swift files.
  init(in texts: some Sequence<String>) {
    for text in texts { read(SwiftTokens(text)) }
  }

  /// Whether a class is declared, at the top of a file.
  func contains(_ className: String) -> Bool { names.contains(className) }

  /// Whether a class is declared for other modules, too.
  func isPublic(_ className: String) -> Bool { publicNames.contains(className) }

  /// The properties and methods that a class declares, in its body or in extensions.
  func members(of className: String) -> Set<String> { membersByClass[className] ?? [] }

  private mutating func read(_ tokens: SwiftTokens) {
    var type: String?
    var depth = 0
    var previous = ""
    /// Whether the declaration that begins is one for other modules.
    var isPublic = false
    /// Whether the declaration is one that only Apple's systems take.
    var isManaged = false
    /// A name is expected after this word.
    var keyword: String?
    for token in tokens {
      if depth == 0, let word = keyword, token != "`" {
        type = token
        if word == "class" {
          names.insert(token)
          if isPublic { publicNames.insert(token) }
        }
        (keyword, isPublic) = (nil, false)
      } else if depth == 1, let type, keyword != nil, token != "`" {
        if !isManaged { membersByClass[type, default: []].insert(token) }
        keyword = nil
        isManaged = false
      }
      if depth == 0, previous == "import", token == "CoreDataNames" { importsCoreDataNames = true }
      switch token {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0 { type = nil }
      case "class", "extension": if depth == 0, keyword == nil, previous != "." { keyword = token }
      case "public", "open": if depth == 0 { isPublic = true }
      case "var", "let", "func":
        if depth == 0 { isPublic = false }
        if depth == 1 { keyword = token }
      case "import", "struct", "enum", "protocol": if depth == 0 { isPublic = false }
      case "NSManaged": isManaged = true
      default: break
      }
      previous = token
    }
  }
}
