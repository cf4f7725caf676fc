// Re-exports the C library and Foundation of the platform for all modules. On Linux that is
// FoundationEssentials, which can be linked statically and does not delay a program's start; on
// Apple's systems Foundation is part of the system.

#if canImport(Darwin)
  @_exported public import Darwin
#else
  @_exported public import Glibc
#endif

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
