/** Where the documents of collections come from. */
@NullMarked
package switchboard.backend.agentroot.source;

import org.jspecify.annotations.NullMarked;
