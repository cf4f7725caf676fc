// What Swift's runtime does for every program and this one need not.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__

// Looking for the words of the command: the runtime takes them for the strings that lie below the
// environment on the stack, whose end it reads in /proc/self/maps. The C library hands them to every
// constructor. With the two functions of the runtime here, the linker passes its own by, and their
// search, a sixteenth of what `dogwalk --version` takes.

char **_swift_stdlib_getUnsafeArgvArgc(int *count);
void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count);

static char **words;
static int count;

__attribute__((constructor)) static void keep_words(int argc, char **argv) {
  words = argv;
  count = argc;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *out_count) {
  *out_count = count;
  return words;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **new_words, int new_count) {
  words = new_words;
  count = new_count;
}

#endif

#ifdef __linux__

// Looking up what every array's class inherits from, by reading the mangled name of that class, at the
// first use of each kind of array: a tenth of what an `add` takes. A name that only refers to a class
// needs no reading: the class's own function makes it. All this is fixed by Swift's ABI
// (TypeMetadata.rst, Mangling.rst), and where the runtime has no such function, its own way is kept.

struct metadata_response {
  const void *metadata;
  size_t state;
};

__attribute__((weak)) struct metadata_response __real_getSuperclassMetadata(size_t request,
                                                                            const void *class);
struct metadata_response __wrap_getSuperclassMetadata(size_t request, const void *class);

static const char *followed(const char *place) {
  int32_t offset;
  memcpy(&offset, place, sizeof offset);
  return offset == 0 ? NULL : place + offset;
}

struct metadata_response __wrap_getSuperclassMetadata(size_t request, const void *class) {
  enum { descriptor_of_class = 40, name_of_superclass = 20, access_function = 12 };
  enum { refers_to_descriptor = 1, kind = 0x1f, class_kind = 16, is_generic = 0x80 };
  const char *descriptor, *name = NULL;

  memcpy(&descriptor, (const char *)class + descriptor_of_class, sizeof descriptor);
  name = followed(descriptor + name_of_superclass);
  if (name != NULL && name[0] == refers_to_descriptor && name[5] == 0) {
    const char *superclass = followed(name + 1);
    uint32_t flags;
    memcpy(&flags, superclass, sizeof flags);
    if ((flags & kind) == class_kind && (flags & is_generic) == 0) {
      struct metadata_response (*access)(size_t) =
          (struct metadata_response(*)(size_t))followed(superclass + access_function);
      return access(request);
    }
  }
  return __real_getSuperclassMetadata(request, class);
}

#endif
