package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import switchboard.backend.QueryEmbedding;

/**
 * The vector of a question, and where it is searched.
 *
 * @param field the vector field
 * @param numbers the vector as it is sent
 * @param own the same if the gateway's embedder made it; only then cosines are comparable with those of other engines
 */
record SearchVector(MappedField field, JsonNode numbers, Optional<QueryEmbedding> own) {}
