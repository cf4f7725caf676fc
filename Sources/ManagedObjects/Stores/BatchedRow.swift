/// A row that a batch request updated or deleted.
typealias BatchedRow = (entity: EntityBinding, key: Int64)
