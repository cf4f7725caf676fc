/// The identity of a row in a coordinator: its key and its entity.
struct RowIdentity: Equatable {
  let key: Int64
  /// The index of the row's own entity, which may be a subentity of the fetched one.
  let entity: Int
}
