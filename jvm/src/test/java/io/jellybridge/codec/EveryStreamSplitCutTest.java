package io.jellybridge.codec;

import io.jellybridge.Full;

/** As {@link StreamSplitCutsTest}, with a cut at every byte. */
@Full("reads files thousands of times")
class EveryStreamSplitCutTest extends StreamSplitCutsTest {

    @Override
    int stride() {
        return 1;
    }
}
