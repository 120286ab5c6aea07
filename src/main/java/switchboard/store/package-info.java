/** The embedded document store: documents, their chunks and vectors, with one Lucene index for each namespace. */
@NullMarked
package switchboard.store;

import org.jspecify.annotations.NullMarked;
