// What the C library does for every program and this one need not.

#include <stdlib.h>

#ifdef __GLIBC__

// Asking the system where the program lies, for libraries that it might load from beside itself: a
// twentieth of what `dogwalk --version` takes. This one is a single file and loads none; -1 stands for
// a place that is not known.

const char *_dl_get_origin(void);

const char *_dl_get_origin(void) { return (const char *)-1; }

#endif
