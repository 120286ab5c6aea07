/** Chunks of documents in a Weaviate cluster, for libraries that are too large for one machine. */
@NullMarked
package switchboard.weaviate;

import org.jspecify.annotations.NullMarked;
