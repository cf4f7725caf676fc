import Testing

@testable import DataModel

@Suite("The expression of a derived attribute")
struct DerivationExpressionTests {
  @Test(arguments: [
    ("pages.@count", "count:(pages)"), ("walks.@sum.distance", "sum:(walks.distance)"),
    ("walks.distance.@sum", "sum:(walks.distance)"), ("author.name", "author.name"),
    ("canonical:(name)", "canonical:(name)"), ("now()", "now()"),
    ("name ++ \".@count\"", "name ++ \".@count\""), ("", ""), ("@count", "count:()"),
  ])
  func `is hashed with its operators as functions`(text: String, canonical: String) {
    #expect(DerivationExpression(text).canonicalText == canonical)
  }

  @Test func `alone decides the hash of its attribute`() {
    func hash(_ attribute: AttributeDescription) -> VersionHash? {
      let book = EntityDescription(name: "Book", properties: [.attribute(attribute)])
      return ManagedObjectModel(entities: [book]).entityVersionHashesByName["Book"]
    }
    let count = AttributeDescription(
      name: "count", type: .integer64, derivationExpression: "pages.@count")
    var renamed = count
    renamed.name = "pageCount"
    renamed.isOptional = true
    var other = count
    other.derivationExpression = "authors.@count"

    #expect(hash(count) == hash(renamed))
    #expect(hash(count) != hash(other))
  }
}
