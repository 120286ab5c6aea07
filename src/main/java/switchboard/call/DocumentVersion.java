package switchboard.call;

import switchboard.text.SurrogatePairs;

/**
 * A version of a document in a source that tells versions apart.
 *
 * @param id its id, which another version does not have
 * @param name the name that all versions have
 * @param version differs if the content does; its first {@value #LONGEST} characters count
 */
public record DocumentVersion(String id, String name, String version) {
    /** The longest version, so that a ref is short. */
    public static final int LONGEST = 16;

    public DocumentVersion {
        version = SurrogatePairs.start(version, LONGEST);
    }
}
