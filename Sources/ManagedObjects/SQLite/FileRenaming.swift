import CSQLite

/// Renames a file without replacing another: returns 0 or the error number, `EEXIST` if the new
/// name is taken (`renameat2`, `renamex_np`).
func rename(_ old: String, toNew new: String) -> Int32 { csqlite_rename_new(old, new) }
