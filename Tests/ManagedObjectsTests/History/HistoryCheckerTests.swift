import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Whether the checker of histories finds faults.
@Suite(.enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"))
struct HistoryCheckerTests {
  @Test(arguments: [
    "UPDATE ACHANGE SET ZCOLUMNS = x'FF' WHERE ZCHANGETYPE = 1",
    "UPDATE ACHANGE SET ZCOLUMNS = NULL WHERE ZCHANGETYPE = 1",
    "UPDATE ACHANGE SET ZCOLUMNS = x'00' || ZCOLUMNS WHERE ZCHANGETYPE = 1",
    "UPDATE ACHANGE SET ZENTITY = 99 WHERE Z_PK = 1",
    "UPDATE ACHANGE SET ZENTITYPK = 7 WHERE ZCHANGETYPE = 1",
    "UPDATE ACHANGE SET ZCHANGETYPE = 2 - ZCHANGETYPE WHERE ZCHANGETYPE <> 1 AND ZTRANSACTIONID = 2",
    "UPDATE ACHANGE SET ZTRANSACTIONID = 9 WHERE Z_PK = 1",
    "UPDATE ACHANGE SET Z_OPT = 1 WHERE Z_PK = 1",
    "DELETE FROM ACHANGE WHERE Z_PK = (SELECT max(Z_PK) FROM ACHANGE)",
    "DELETE FROM ATRANSACTIONSTRING",
    "INSERT INTO ATRANSACTIONSTRING VALUES (9, 16003, NULL, 'nobody')",
    "UPDATE ATRANSACTION SET ZAUTHOR = 'Ana' WHERE Z_PK = 1",
    "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1 WHERE Z_PK = 1",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 16001",
    "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003",
    "DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX",
    "UPDATE ZDOG SET ZTARGETMINUTES = 99 WHERE Z_PK = 2",
    "DELETE FROM ZDOG WHERE Z_PK = 2",
  ])
  func `finds each fault`(damage: String) throws {
    let folder = try StoreFolder()
    let context = try folder.open { $0.tracksPersistentHistory = true }.newBackgroundContext()
    let (fido, rex) = (
      try Dog.findOrCreate(named: "Fido", in: context),
      try Dog.findOrCreate(named: "Rex", in: context)
    )
    try context.save()
    let checker = try HistoryChecker(of: folder.store, model: nil)
    fido.name = "Bello"
    rex.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    try SQLiteFile(folder.store).execute(damage)
    #expect(try checker.check() != "")
  }
}
