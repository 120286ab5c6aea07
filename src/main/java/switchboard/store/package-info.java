/** The embedded document store: documents, their chunks and vectors, one Lucene index a namespace. */
@NullMarked
package switchboard.store;

import org.jspecify.annotations.NullMarked;
