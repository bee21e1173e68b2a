/**
 * Protobuf's wire format, and nothing of RDF: bounds-checked reading and writing of fields, frames in a byte stream, size
 * limits; and hashes of bytes. Knows no schema, no other package of the project, and no protobuf library.
 */
package io.jellybridge.wire;
