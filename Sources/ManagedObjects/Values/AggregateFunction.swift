/// What is made of many values together; the raw value is how it is written.
enum AggregateFunction: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case median = "@median"
  case standardDeviation = "@stddev"
}
