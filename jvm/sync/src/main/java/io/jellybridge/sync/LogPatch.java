package io.jellybridge.sync;

/** A patch that was fetched from a log, with its version there. */
record LogPatch(Long version, SyncPatch patch) implements ForwardingPatch {
}
