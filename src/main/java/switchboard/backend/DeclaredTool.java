package switchboard.backend;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.catalog.ToolDescriptor;

/**
 * A tool that the configuration of a backend declares.
 *
 * @param descriptor its description
 * @param handler its code, with the same name
 */
public record DeclaredTool(ToolDescriptor descriptor, ToolHandler<OpenArguments> handler) {
    /**
     * Arguments whose names are not known when the code is compiled.
     *
     * @param values valid against the schema, defaults filled in; must not be changed
     */
    public record OpenArguments(ObjectNode values) {
        /** Takes the whole object of arguments. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public OpenArguments {}
    }
}
