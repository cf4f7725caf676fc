#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Which walks to show.
package struct WalkQuery {
  /// Only walks of these dogs; empty for all.
  package var dogs: [Dog] = []
  /// Only walks that began then or later.
  package var earliest: Date?
  /// Only walks that began then or before.
  package var latest: Date?
  /// What else must hold; nil for nothing.
  package var isWanted: ((Walk) -> Bool)?
  /// The most walks to give, the newest; nil for all.
  package var limit: Int?

  /// All walks.
  package init() {}
}

@available(*, unavailable) extension WalkQuery: Sendable {}
