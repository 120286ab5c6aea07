/** Three tools on a Meilisearch server: list indexes, describe one, search one. */
@NullMarked
package switchboard.backend.meilisearch;

import org.jspecify.annotations.NullMarked;
