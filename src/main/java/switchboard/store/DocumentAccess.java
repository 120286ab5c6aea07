package switchboard.store;

import java.util.Set;

/** What of the stored documents a caller may read, and so change. */
public sealed interface DocumentAccess {
    /** Every document, whatever it {@linkplain AllowedReaders allows}. */
    DocumentAccess EVERYTHING = new Everything();

    /** Whether a document may be read that allows {@code readers}. */
    boolean permits(AllowedReaders readers);

    /** Every document; for the gateway's own work, too. */
    record Everything() implements DocumentAccess {
        @Override
        public boolean permits(AllowedReaders readers) {
            return true;
        }
    }

    /**
     * Documents for everyone, and those that allow one of {@code names}, in each place.
     *
     * @param names who the caller is, as documents name it: {@code user:ann}, {@code group:hr}
     */
    record ForReaders(Set<String> names) implements DocumentAccess {
        public ForReaders {
            names = Set.copyOf(names);
        }

        @Override
        public boolean permits(AllowedReaders readers) {
            return readers.permits(names);
        }
    }
}
