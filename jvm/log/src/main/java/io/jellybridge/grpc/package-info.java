/** Clients of gRPC services: {@link io.jellybridge.grpc.PatchStreams} is the client of a server of patch logs. */
package io.jellybridge.grpc;
