package switchboard.cluster;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A library in the shared database.
 *
 * @param id its number, in its rows
 * @param incarnation another one when it was dropped and made again
 * @param owner its owner; may be empty
 * @param name its name
 * @param live whether it was not dropped
 * @param head its newest change
 */
public record LibraryRow(long id, UUID incarnation, String owner, String name, boolean live, Head head) {
    /**
     * The newest change of a library.
     *
     * @param position its place among all changes of the library, from 1
     * @param operation its id
     * @param changed when it began
     */
    public record Head(long position, @Nullable UUID operation, Instant changed) {}

    /** The same after another change. */
    public LibraryRow at(Head newer) {
        return new LibraryRow(id, incarnation, owner, name, live, newer);
    }
}
