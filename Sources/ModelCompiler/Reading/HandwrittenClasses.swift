/// The classes declared in Swift files, with the members that each declares.
///
///     let classes = HandwrittenClasses(in: ["public class Dog: ManagedObject { var name: String { … } }"])
///     classes.members(of: "Dog")   // ["name"]
///
/// momc generates neither classes nor accessors that already exist.
struct HandwrittenClasses: Sendable {
  private var membersByClass: [String: Set<String>] = [:]
  private var names: Set<String> = []
  private var publicNames: Set<String> = []
  /// Whether a file imports CoreDataNames, so that accessors have the same types as in Xcode.
  private(set) var importsCoreDataNames = false

  /// Creates an empty value.
  init() {}

  /// Reads the texts of Swift files.
  init(in texts: some Sequence<String>) {
    for text in texts { read(SwiftTokens(text)) }
  }

  /// Returns whether a class is declared at the top level of a file.
  func contains(_ className: String) -> Bool { names.contains(className) }

  /// Returns whether a class is declared as public or open.
  func isPublic(_ className: String) -> Bool { publicNames.contains(className) }

  /// Returns the properties and methods that a class declares, in its body or in extensions.
  func members(of className: String) -> Set<String> { membersByClass[className] ?? [] }

  private mutating func read(_ tokens: SwiftTokens) {
    var type: String?
    var depth = 0
    var previous = ""
    /// Whether the current declaration is public or open.
    var isPublic = false
    /// Whether the current declaration is `@NSManaged`, which only Apple's systems support.
    var isManaged = false
    /// The keyword after which a name is expected.
    var keyword: String?
    /// Whether the type's name may go on, as in `Kennel.Dog`, which is `Dog`.
    var mayGoOn = false
    for token in tokens {
      if mayGoOn, token != "`" {
        if previous == "." { type = token }
        mayGoOn = previous == "." || token == "."
      }
      if depth == 0, let word = keyword, token != "`" {
        type = token
        mayGoOn = word == "extension"
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
      case "import", "struct", "enum", "protocol", "actor", "typealias", "macro", "operator":
        if depth == 0 { isPublic = false }
      case "NSManaged": isManaged = true
      default: break
      }
      previous = token
    }
  }
}
