// Code that imports DataModel uses a store's metadata, which are property lists.
@_exported public import DataFormats
