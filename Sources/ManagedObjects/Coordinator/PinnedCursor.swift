/// A cursor over the one state of the stores that `performReading` keeps.
protocol PinnedCursor: AnyObject {
  /// Has the cursor read no further: its state is let go of.
  func cutOff()
}
