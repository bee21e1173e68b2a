/**
 * Protobuf's wire format, independent of RDF: bounds-checked reads and writes of fields, frames in a byte stream, size limits,
 * and hashes of bytes. This package knows no schema, uses no other package of the project, and needs no protobuf library.
 */
package io.jellybridge.wire;
