/** Language models that answer questions about text. */
@NullMarked
package switchboard.llm;

import org.jspecify.annotations.NullMarked;
