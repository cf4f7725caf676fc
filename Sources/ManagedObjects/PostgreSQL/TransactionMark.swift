#if PostgreSQL
  /// A mark that a transaction leaves in its database, to find out later whether it was committed
  /// if the connection is lost during COMMIT.
  struct TransactionMark {
    /// A text unique to the transaction: `length` hexadecimal digits.
    let text: String
    /// A query with that text as its value; it returns whether the mark exists, and the number of
    /// transactions counted.
    let query: String

    /// The number of characters in a mark.
    static let length: Int64 = 16
    /// The number of marks kept, those of the last transactions.
    static let mostKept: Int64 = 16
  }
#endif
