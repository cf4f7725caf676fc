#if PostgreSQL
  /// The information about a transaction that was begun.
  struct TransactionTrace {
    /// Its mark; nil if it leaves none.
    var mark: TransactionMark?
    /// Its number, once the server has assigned it; nil if the server assigns none.
    var number: String?
    /// The number of transactions counted, including this one; nil before its mark is written.
    var count: Int64?
  }
#endif
