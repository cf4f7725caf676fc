/// The outcome of a save: what its request could not know.
struct SaveResult {
  /// The permanent keys of the inserts.
  var keys: PermanentKeys
  /// The optimistic-lock count of each update's row, in the request's order.
  var versions: ContiguousArray<UInt32> = []
  /// The indexes of inserts that took over an existing row.
  var adopted: [Int] = []
  /// The order keys of the rows in the request.
  var orderKeys: SavedOrderKeys
  /// Rows that the store changed although the request did not contain them.
  var moves: [Move] = []
  /// The error of a save that was written, but that a power failure may undo.
  var uncertainty: (any Error)?

  init(of request: SaveRequest) {
    keys = PermanentKeys(for: request.inserts)
    orderKeys = SavedOrderKeys(for: request)
  }

  /// A row that got another order key, or only a new lock count because a list of its object
  /// changed.
  struct Move {
    let entity: EntityBinding
    let key: Int64
    /// The slot of the order key; nil if that did not change.
    var slot: Int?
    var orderKey: Int64 = 0
    let version: UInt32
  }
}
