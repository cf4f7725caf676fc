/// A function that aggregates many values; the raw value is its spelling in predicates.
enum AggregateFunction: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case median = "@median"
  case standardDeviation = "@stddev"
}
