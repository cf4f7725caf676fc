#if PostgreSQL
  /// The highest order key of a list, to be received from the server.
  final class LastOrderKey {
    /// nil if it is not received yet; an inner nil if the list has none.
    var value: Int64??
  }

  @available(*, unavailable) extension LastOrderKey: Sendable {}
#endif
