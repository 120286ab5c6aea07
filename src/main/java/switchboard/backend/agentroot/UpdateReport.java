package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an update came to.
 *
 * @param reply the answer to the caller
 * @param changed whether the collection has other documents than before
 */
record UpdateReport(ObjectNode reply, boolean changed) {}
