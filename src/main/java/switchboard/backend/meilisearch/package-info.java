/** The backend type {@code meilisearch}: list indexes, describe one, search one. */
@NullMarked
package switchboard.backend.meilisearch;

import org.jspecify.annotations.NullMarked;
