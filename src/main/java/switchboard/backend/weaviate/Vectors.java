package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Where vectors come from for collections that have no vectorizer. */
interface Vectors {
    /** The vector of a query. */
    Future<JsonNode> ofQuery(String text);

    /** The vectors of objects with these properties, in order; given up once {@code cancelled}. */
    Future<List<JsonNode>> ofObjects(List<ObjectNode> properties, BooleanSupplier cancelled);
}
