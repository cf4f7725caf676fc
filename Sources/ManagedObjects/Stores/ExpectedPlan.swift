/// A read that a transaction will most likely make: see `ExpectedRead`.
struct ExpectedPlan {
  let plan: FetchPlan
  /// Whether only the number of rows is needed.
  let isCount: Bool
}
