package io.jellybridge.log;

import io.jellybridge.codec.SerializableException;

/** Thrown when a patch of a log does not follow the patch before it: there is a gap or a fork. */
public final class BrokenChainException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private final long version;
    private final String expected;

    /**
     * Creates the error that the ids do not match.
     *
     * @param patch    the name of the patch in messages
     * @param expected the id of the patch before it
     * @param found    the id in its header {@code prev}; null if it has none
     */
    public BrokenChainException(String patch, long version, String expected, String found) {
        super(patch + " (version " + version + ") follows " + (found == null ? "no patch" : "patch " + found)
                + ", but the patch before it is " + (expected == null ? "none" : expected)
                + ": the log has a gap or a fork; check it");
        this.version = version;
        this.expected = expected;
    }

    private BrokenChainException(long version, String message) {
        super(message);
        this.version = version;
        this.expected = null;
    }

    /**
     * Checks that the history before a patch is the one that it was appended to. An unknown hash or chain is not compared.
     *
     * @param patch the name of the patch in messages
     * @param hash  the hash of the patch before it, {@link Chain#own}; null if unknown
     * @param chain the chain of the patch; null if it has none
     * @throws BrokenChainException it is another history
     */
    public static void requireBehind(String patch, long version, String hash, Chain chain) {
        if (chain != null && hash != null && !chain.before().equals(hash)) {
            throw new BrokenChainException(version, patch + " (version " + version + ") was appended behind the hash "
                    + chain.before() + ", but what is before it here has the hash " + hash
                    + ": the log has a gap or a fork, or patches of two logs; check it");
        }
    }

    /** Returns the version of the patch. */
    public long version() {
        return version;
    }

    /** Returns the id of the patch before it; null for none, or if the hashes do not match. */
    public String expected() {
        return expected;
    }
}
