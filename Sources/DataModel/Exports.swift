// Who imports DataModel reads and writes a store's metadata, which are property lists.
@_exported public import DataFormats
