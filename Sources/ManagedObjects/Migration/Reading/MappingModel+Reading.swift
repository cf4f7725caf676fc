public import SystemLibraries

extension MappingModel {
  /// Reads a mapping model from a file: a compiled one (`.cdm`), or Xcode's `.xcmappingmodel`.
  ///
  ///     let mapping = try MappingModel(contentsOf: URL(filePath: "V2toV3.cdm"))
  ///     mapping.entityMappings.map(\.name)   // ["CarToCar", "PersonToPerson", …]
  ///
  /// In Xcode's folder the file `xcmapping.xml` is read; its own path may be passed as well. Values
  /// that Xcode computes only when it compiles the file are computed here in the same way: an
  /// attribute has the value of the source's one with its name, or its renaming identifier; a
  /// relationship refers to the destination's objects for those of the source's. Version hashes
  /// come from the copies of both models in it.
  ///
  /// A value may be an expression on `$source` that the predicate language supports, or the result
  /// of a method of the policy (``PropertyMapping/Value/policyFunction(_:arguments:)``). One that
  /// calls a method of any other object, or uses another variable, is not supported; a policy in
  /// Swift can do all of that:
  ///
  ///     let mapping = try MappingModel(contentsOf: url, leavingValuesToPolicies: true)
  ///
  /// Safe for untrusted bytes. Takes a millisecond for a compiled one, a few for Xcode's. Follows
  /// Core Data's `NSMappingModel(contentsOf:)`.
  ///
  /// - Parameters:
  ///   - url: the file, or Xcode's folder.
  ///   - leavesValues: whether an unsupported value is nil, to be set by the policy. This applies
  ///     only if the entity mapping has a policy; otherwise the value would never be set.
  /// - Throws: ``MappingModelError`` if the file cannot be read, or only in part.
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

  /// Reads a mapping model from the bytes of either type of file.
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
  /// Mapping models of large apps have some megabytes.
  private static let mostBytes = 1 << 26
}

extension MappingExpressionReader {
  /// The value of a property's expression, or nil if it is left to the policy.
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
  /// Sets the source condition from an archived fetch expression.
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

  /// Sets the source condition from its text.
  mutating func takeCondition(_ text: String) throws(MappingModelError.Reason) {
    guard text != "TRUEPREDICATE" else { return }
    do throws(PredicateFormatError) {
      sourcePredicate = try FetchPredicate(format: text)
    } catch {
      throw .unreadablePredicate(entityMapping: name, error)
    }
  }
}
