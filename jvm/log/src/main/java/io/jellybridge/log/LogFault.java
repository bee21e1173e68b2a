package io.jellybridge.log;

/**
 * Something wrong in a log.
 *
 * @param kind     what kind of fault
 * @param version  of which patch; 0 where it is not of one
 * @param file     the file's name in the folder
 * @param found    what was found, a sentence
 * @param repaired what {@link FolderCheck#repair} did about it; null: nothing
 */
public record LogFault(Kind kind, long version, String file, String found, String repaired) {

    /** Kinds of faults. */
    public enum Kind {
        /** A version between others has no file. */
        GAP,
        /** A patch follows another than the one before it, or two have one id. */
        FORK,
        /** A file can't be read as one patch with an id. */
        DAMAGED,
        /** A file that a log does not have. */
        MISNAMED,
        /** An append that was cut off; harmless. */
        UNFINISHED,
        /** A patch that was lost, with a stand-in in its place. */
        LOST
    }

    LogFault repaired(String how) {
        return new LogFault(kind, version, file, found, how);
    }
}
