/// A class of the module's own, whatever its prefix.
public struct UITheme {}

extension Sample {
  /// A type named by a keyword.
  public struct `default` {}
}
