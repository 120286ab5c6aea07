package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import switchboard.store.AllowedReaders;

/**
 * The result of an update.
 *
 * @param reply the answer to the caller, of the documents that it may read
 * @param readers who may read the documents that have changed, as they were and as they are now
 */
record UpdateReport(ObjectNode reply, Set<AllowedReaders> readers) {}
