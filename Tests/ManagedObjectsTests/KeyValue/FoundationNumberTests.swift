import Foundation
import ManagedObjects
import Testing

/// Numbers as Foundation code has them.
@Suite struct FoundationNumberTests {
  @Test(arguments: Stack.allTypes)
  func `a Boolean accepts Booleans and the numbers 0 and 1`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    let values: [(Any, Bool)] = [
      (NSNumber(value: true), true), (NSNumber(value: false), false), (1, true), (0, false),
      (NSNumber(value: 1), true), (NSNumber(value: 0), false), (Int16(1), true),
      (UInt8(0), false), (true, true),
    ]
    for (value, flag) in values {
      sample.setValue(nil, forKey: "flag")
      sample.setValue(value, forKey: "flag")
      #expect(sample.flag == flag, "\(value)")
      sample.flag = nil
      sample.setPrimitiveValue(value, forKey: "flag")
      #expect(sample.flag == flag, "\(value)")
    }
    sample.setValue(nil as NSNumber?, forKey: "flag")
    #expect(sample.flag == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an NSNumber fits numeric attributes of every type`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    sample.setValuesForKeys([
      "short": NSNumber(value: 7), "middle": NSNumber(value: true),
      "long": NSNumber(value: 1 << 40),
      "real": NSNumber(value: 2), "single": NSNumber(value: 0.5),
      "price": NSDecimalNumber(string: "12.25"),
    ])
    #expect(sample.short == 7 && sample.middle == 1 && sample.long == 1 << 40)
    #expect(sample.real == 2 && sample.single == 0.5)
    #expect(sample.price == Decimal(string: "12.25"))
  }

  @Test func `a number that is not a Boolean is refused`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory, model: Samples.model)
      Sample(context: stack.context).setValue(2, forKey: "flag")
    }
    #expect(said("Sample.flag must be of the type Boolean, but was set to Int.", result))
  }
}
