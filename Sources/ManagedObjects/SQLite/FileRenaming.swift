import CSQLite

/// Gives a file a name that no file has; 0, or the number of the error, `EEXIST` where one has it
/// (`renameat2`, `renamex_np`).
func rename(_ old: String, toNew new: String) -> Int32 { csqlite_rename_new(old, new) }
