/** The backend type {@code opensearch}: OpenSearch, and servers that speak Elasticsearch's search API. */
@NullMarked
package switchboard.backend.opensearch;

import org.jspecify.annotations.NullMarked;
