/** Updates of collections at set times. */
@NullMarked
package switchboard.backend.agentroot.schedule;

import org.jspecify.annotations.NullMarked;
