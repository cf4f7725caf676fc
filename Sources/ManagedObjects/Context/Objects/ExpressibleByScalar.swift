/// A number, Boolean or date that stands for a missing value as zero.
///
/// For optional attributes with Xcode's "Use Scalar Type".
public protocol ExpressibleByScalar {
  /// The value that a missing value reads as.
  static var zeroScalar: Self { get }
}
