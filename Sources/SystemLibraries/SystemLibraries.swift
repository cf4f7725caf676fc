// The system's libraries, for every file here that needs them: which C library there is, and which
// Foundation. Linux gets FoundationEssentials, which can be linked into one file with the program
// and costs a start nothing; on Apple's systems Foundation is part of the system.

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
