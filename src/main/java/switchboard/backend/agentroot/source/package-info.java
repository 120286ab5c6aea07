/** The sources of collections' documents. */
@NullMarked
package switchboard.backend.agentroot.source;

import org.jspecify.annotations.NullMarked;
