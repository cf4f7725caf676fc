/// A section in the state in which it was read.
struct SectionInfo: NSFetchedResultsSectionInfo {
  let section: FetchedResultsSection<ManagedObject>

  var name: String { section.name }
  var indexTitle: String? { section.indexTitle }
  var numberOfObjects: Int { section.numberOfObjects }
  var objects: [Any]? { section.objects }
}
