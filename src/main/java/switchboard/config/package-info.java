/** The configuration: a tree of records and the strict loader that fills it from YAML. A leaf: every package may use its value types. */
@NullMarked
package switchboard.config;

import org.jspecify.annotations.NullMarked;
