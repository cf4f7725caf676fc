/// A row that a batch changed or deleted.
typealias BatchedRow = (entity: EntityBinding, key: Int64)
