package io.jellybridge.sync;

import io.jellybridge.log.Chain;

/** A patch that was fetched from a log, with its version and its chain there. */
record LogPatch(Long version, Chain chain, SyncPatch patch) implements ForwardingPatch {
}
