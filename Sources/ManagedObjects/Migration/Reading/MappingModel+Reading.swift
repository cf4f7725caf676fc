import DataFormats
import DataModel
public import SystemLibraries

extension MappingModel {
  /// Reads a mapping model from a file: a compiled one (`.cdm`), or Xcode's `.xcmappingmodel`.
  ///
  ///     let mapping = try MappingModel(contentsOf: URL(filePath: "V2toV3.cdm"))
  ///     mapping.entityMappings.map(\.name)   // ["CarToCar", "PersonToPerson", …]
  ///
  /// Of Xcode's folder the file `xcmapping.xml` is read, or that file alone where its path is
  /// given. Where Xcode works a value out only when it compiles the file, so does this: an
  /// attribute has the value of the source's one of its name, or of its renaming identifier; a
  /// relationship leads to what became of the objects of the source's. Version hashes come from the
  /// copies of both models in it.
  ///
  /// A value may be what the predicate language can say of `$source`, or what a method of the
  /// policy gives (``PropertyMapping/Value/policyFunction(_:arguments:)``). One that calls a method
  /// of any other object, or uses another variable, has no counterpart; a policy in Swift can do
  /// all of that:
  ///
  ///     let mapping = try MappingModel(contentsOf: url, leavingValuesToPolicies: true)
  ///
  /// Safe for bytes from anywhere. Takes a millisecond for a compiled one, some for Xcode's.
  /// Follows Core Data's `NSMappingModel(contentsOf:)`.
  ///
  /// - Parameters:
  ///   - url: the file, or Xcode's folder.
  ///   - leavesValues: whether a value that has no counterpart is nil, for the policy to set. So it
  ///     is only where the entity mapping names a policy; elsewhere nobody would set it.
  /// - Throws: ``MappingModelError`` where nothing can be read there, or not all of it.
  public init(
    contentsOf url: URL, leavingValuesToPolicies leavesValues: Bool = false
  ) throws(MappingModelError) {
    try self.init(contentsOf: url, values: leavesValues ? .leftToPolicies : .all)
  }

  init(contentsOf url: URL, values: MappingValues) throws(MappingModelError) {
    do throws(MappingModelError.Reason) {
      try self.init(try Self.bytes(at: url), values: values)
    } catch {
      throw MappingModelError(url: url, reason: error)
    }
  }

  /// Reads a mapping model from the bytes of a file of either kind.
  init(_ bytes: [UInt8], values: MappingValues = .all) throws(MappingModelError.Reason) {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try MappingArchiveReader(bytes, values: values)
      self.init(entityMappings: try reader.entityMappings())
    } else {
      var reader = try XcodeMappingReader(bytes, values: values)
      self.init(entityMappings: try reader.entityMappings())
    }
  }

  /// The bytes of a file, or of the file in Xcode's folder.
  private static func bytes(at url: URL) throws(MappingModelError.Reason) -> [UInt8] {
    do throws(InputFile.Failure) {
      return try InputFile.bytes(of: url.path, atMost: mostBytes)
    } catch {
      switch error {
      case .system(EISDIR) where url.lastPathComponent != xcodeFileName:
        return try bytes(at: url.appendingPathComponent(xcodeFileName))
      case .system(let code): throw .unreadable(errno: code)
      case .tooLarge: throw .tooLarge
      }
    }
  }

  private static let xcodeFileName = "xcmapping.xml"
  /// Mapping models of large apps come to some megabytes.
  private static let mostBytes = 1 << 26
}

/// Which values are read of a mapping model.
enum MappingValues: Sendable {
  /// Every one; it is an error where one has no counterpart.
  case all
  /// Every one that has a counterpart; where there is a policy, the others are nil.
  case leftToPolicies
  /// None: names and version hashes are asked for.
  case none
}

extension MappingExpressionReader {
  /// What a property's expression says, or nil where that is left to the policy.
  mutating func value(
    _ object: KeyedArchive.Object, of property: String, in mapping: EntityMapping,
    _ values: MappingValues
  ) throws(MappingModelError.Reason) -> PropertyMapping.Value? {
    do throws(Problem) {
      return try values == .none ? nil : value(object)
    } catch {
      if values == .leftToPolicies, mapping.entityMigrationPolicyClassName != nil { return nil }
      throw .unsupportedExpression(
        entityMapping: mapping.name, property: property, error.text)
    }
  }
}

extension EntityMapping {
  /// Takes what an archived expression fetches of the source.
  mutating func takeSource(
    _ object: KeyedArchive.Object, _ reader: MappingExpressionReader
  ) throws(MappingModelError.Reason) {
    let source: (entityName: String, predicate: String)
    do throws(MappingExpressionReader.Problem) {
      source = try reader.source(object)
      guard source.entityName == sourceEntityName else {
        throw MappingExpressionReader.Problem("fetches \(source.entityName)")
      }
    } catch {
      throw .unsupportedExpression(entityMapping: name, property: nil, error.text)
    }
    try takeCondition(source.predicate)
  }

  /// Takes the text of the condition on the source's objects.
  mutating func takeCondition(_ text: String) throws(MappingModelError.Reason) {
    guard text != "TRUEPREDICATE" else { return }
    do throws(PredicateFormatError) {
      sourcePredicate = try FetchPredicate(format: text)
    } catch {
      throw .unreadablePredicate(entityMapping: name, error)
    }
  }
}
