package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The result of an update.
 *
 * @param reply the answer to the caller
 * @param changed whether the collection's documents have changed
 */
record UpdateReport(ObjectNode reply, boolean changed) {}
