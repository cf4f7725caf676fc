import DataModel

/// The names of entities and columns in the previous version, according to the model's renaming
/// identifiers.
struct CSVRenaming {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  func oldName(of entityName: String) -> String {
    model.entitiesByName[entityName]?.renamingIdentifier ?? entityName
  }

  /// The format of a file of the previous version, with the column names of this version.
  func renamed(_ form: CSVForm, of layout: CSVLayout) -> CSVForm {
    var names = [oldName(of: layout.entity.name): layout.entity.name]
    for property in model.properties(of: layout.entity) {
      switch property {
      case .attribute(let attribute):
        let oldName = attribute.renamingIdentifier ?? attribute.name
        for element in attribute.storedElements {
          names[oldName + element.name.dropFirst(attribute.name.count)] = element.name
        }
      case .relationship(let relationship):
        let oldName = relationship.renamingIdentifier ?? relationship.name
        names[oldName] = relationship.name
        names[CSVLayout.positionName(oldName)] = CSVLayout.positionName(relationship.name)
      default: break
      }
    }
    var renamed = form
    renamed.columnNames = form.columnNames.compactMap { names[$0] }
    return renamed
  }
}
