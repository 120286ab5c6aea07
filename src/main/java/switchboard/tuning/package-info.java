/**
 * Weights of searches from what a team read: {@link switchboard.tuning.WeightSearch} proposes them,
 * {@link switchboard.tuning.TuningFolder} keeps proposals and what an operator has approved.
 */
@NullMarked
package switchboard.tuning;

import org.jspecify.annotations.NullMarked;
