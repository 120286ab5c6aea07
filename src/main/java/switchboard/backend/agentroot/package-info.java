/** The backend type {@code agentroot}: agentroot's tools, a knowledge base of collections, on the embedded store. */
@NullMarked
package switchboard.backend.agentroot;

import org.jspecify.annotations.NullMarked;
