/** Calls of servers of gRPC: {@link io.jellybridge.grpc.PatchStreams} of those that serve patch logs. */
package io.jellybridge.grpc;
