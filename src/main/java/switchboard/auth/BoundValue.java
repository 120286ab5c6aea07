package switchboard.auth;

import switchboard.call.Binding;
import switchboard.call.ToolException;

/**
 * What a caller is bound to, for an operator to read.
 *
 * @param name the binding's name
 * @param text its value for the caller; the text of the teams file if the caller is refused
 * @param problem why the caller is refused, or empty
 */
public record BoundValue(String name, String text, String problem) {
    /** The value of {@code binding}. */
    public static BoundValue of(Binding binding) {
        try {
            return new BoundValue(binding.name(), value(binding), "");
        } catch (ToolException denied) {
            return new BoundValue(
                    binding.name(), binding.text(), denied.failed().message());
        }
    }

    /** Whether calls of the caller are refused. */
    public boolean refused() {
        return !problem.isEmpty();
    }

    private static String value(Binding binding) {
        return switch (binding.name()) {
            case "filter", "where", "searchRules" ->
                binding.expression((claim, _) ->
                        claim.list() ? claim.texts().toString() : claim.texts().getFirst());
            case "schemas", "groups" -> String.join(", ", binding.values());
            default -> binding.list() ? binding.values().toString() : binding.value();
        };
    }
}
