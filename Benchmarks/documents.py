"""Reads and writes a document with the fastest reader and writer available, and times both.

    python3 Benchmarks/documents.py KIND FILE OUT ROUNDS RESULT

XML: libxml2's tree, parsed and serialized. JSON and CSV: Python's modules, which are written in C. Binary
property lists: Python's plistlib, since nothing faster is available outside of Apple's systems. Writes two
lines to RESULT: the median times of reading and of writing, in milliseconds. Both include the file.
"""
import csv, ctypes, gc, json, plistlib, statistics, struct, sys, time

csv.field_size_limit(1 << 30)


def libxml2():
    lib = ctypes.CDLL("libxml2.so.2")
    lib.xmlReadMemory.restype = ctypes.c_void_p
    lib.xmlReadMemory.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
    lib.xmlSaveFile.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    lib.xmlFreeDoc.argtypes = [ctypes.c_void_p]
    return lib


def xml(path, out):
    lib = libxml2()
    huge = 1 << 19

    def read():
        data = open(path, "rb").read()
        return lib.xmlReadMemory(data, len(data), None, None, huge)

    return read, lambda tree: lib.xmlSaveFile(out.encode(), tree), lib.xmlFreeDoc


def text(path, out):
    def write(tree):
        with open(out, "w", encoding="utf-8") as file:
            file.write(json.dumps(tree, indent=2, ensure_ascii=False))

    return lambda: json.loads(open(path, encoding="utf-8").read()), write, None


def table(path, out):
    names = [name for name in json.load(open(path + "/manifest.json"))["files"]]

    def read():
        return [list(csv.reader(open(f"{path}/{name}", newline="", encoding="utf-8"))) for name in names]

    def write(tables):
        with open(out, "w", newline="", encoding="utf-8") as file:
            for rows in tables:
                csv.writer(file, lineterminator="\n").writerows(rows)

    return read, write, None


def binary(path, out):
    def read():
        data = open(path, "rb").read()
        start, length = struct.unpack(">QQ", data[32:48])
        return plistlib.loads(data[start:start + length], fmt=plistlib.FMT_BINARY)

    def write(tree):
        with open(out, "wb") as file:
            plistlib.dump(tree, file, fmt=plistlib.FMT_BINARY)

    return read, write, None


def main():
    kind, path, out, rounds, result = sys.argv[1:]
    read, write, free = {"XML": xml, "JSON": text, "CSV": table, "Binary": binary}[kind](path, out)
    reading, writing = [], []
    gc.disable()
    for _ in range(int(rounds)):
        start = time.perf_counter()
        tree = read()
        middle = time.perf_counter()
        write(tree)
        end = time.perf_counter()
        reading.append((middle - start) * 1000)
        writing.append((end - middle) * 1000)
        if free:
            free(tree)
        del tree
    with open(result, "w") as file:
        file.write(f"{statistics.median(reading)}\n{statistics.median(writing)}\n")


main()
