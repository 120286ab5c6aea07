/** Weaviate over REST and GraphQL: eight tools for collections, tenants, objects, hybrid search and logs. */
@NullMarked
package switchboard.backend.weaviate;

import org.jspecify.annotations.NullMarked;
