import DataFormats
import TestSupport
import Testing

@Suite struct `Numbers as text` {
  @Test(arguments: [
    (0.0, 2, "0"), (-0.001, 2, "0"), (35, 2, "35"), (10.0166666, 2, "10.02"), (10.1, 2, "10.1"),
    (-0.5, 0, "-1"), (-2.25, 2, "-2.25"), (0.001, 3, "0.001"), (1.005, 2, "1"),
    (99.999, 2, "100"), (1e15, 2, "1000000000000000"), (1e300, 2, "1e+300"), (.nan, 2, "nan"),
    (-.infinity, 1, "-inf"), (1e-7, 7, "1e-07"),
  ])
  func `a number is rounded to the given number of decimals`(
    number: Double, decimals: Int, expected: String
  ) {
    #expect(number.rounded(toDecimals: decimals) == expected)
  }

  @Test func `a rounded number has the shortest text that represents it`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let decimals = Int.random(in: 0...4, using: &random)
      let size = Double.random(in: -6...17, using: &random)
      let number = Double.random(in: -1...1, using: &random) * power(of: 10, size)
      let scale = power(of: 10, Double(decimals))
      let rounded = (number * scale).rounded() / scale
      #expect(
        number.rounded(toDecimals: decimals) == rounded.shortest,
        "\(number) to \(decimals) decimals, SEED=\(seed)")
    }
  }

  private func power(of base: Double, _ exponent: Double) -> Double {
    // Steps of one, which is near enough for sizes and exact for decimals.
    (0..<Int(exponent.magnitude)).reduce(1) { result, _ in
      exponent < 0 ? result / base : result * base
    }
  }
}
