#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The size limit of files that this process writes; for child processes only.
enum FileSizeLimit {
  static func set(_ bytes: Int) {
    // Writing beyond it is then an error, and does not end the process.
    signal(SIGXFSZ, SIG_IGN)
    change { $0.rlim_cur = rlim_t(bytes) }
  }

  static func lift() { change { $0.rlim_cur = $0.rlim_max } }

  private static func change(_ body: (inout rlimit) -> Void) {
    #if canImport(Darwin) || canImport(Musl)
      let resource = RLIMIT_FSIZE
    #else
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    body(&limit)
    setrlimit(resource, &limit)
  }
}
