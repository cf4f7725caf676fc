/// A cursor over the state of the stores that `performReading` pins.
protocol PinnedCursor: AnyObject {
  /// Ends the cursor, since its state is released.
  func invalidate()
}
