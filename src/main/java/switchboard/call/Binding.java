package switchboard.call;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value that a team's calls are bound to at a backend. Its text may have placeholders for what is known about the caller:
 * <code>{claim:NAME}</code> and <code>{list:NAME}</code> for a claim, <code>{principal}</code> and <code>{team}</code>. A caller
 * without such a claim is refused, so that it sees nothing. A <code>list</code> is one also if the claim has a single value,
 * so that it does not depend on the caller how a value is written.
 *
 * @param name its name, such as {@code tenant}
 * @param text its text as the operator wrote it
 * @param caller whose call it is
 */
public record Binding(String name, String text, Caller caller) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{((?:claim|list):[^{}\"]{1,200}|principal|team)\\}");

    /** What looks like a placeholder. Braces of JSON are followed by a quotation mark. */
    private static final Pattern SIMILAR =
            Pattern.compile("\\{\\s*(?:(?:claim|list|principal|team)\\b|[A-Za-z][^{}\"]*\\})");

    private static final String LIST = "list:";

    /** What is wrong with the placeholders in {@code text}, if anything. */
    public static Optional<String> problem(String text) {
        Matcher similar = SIMILAR.matcher(text);
        Matcher placeholder = PLACEHOLDER.matcher(text);
        while (similar.find()) {
            if (!placeholder.region(similar.start(), text.length()).lookingAt()) {
                return Optional.of(
                        similar.group() + " is not known; there are {claim:NAME}, {list:NAME}, {principal} and {team}");
            }
        }
        return Optional.empty();
    }

    /**
     * The text with its placeholders replaced.
     *
     * @throws ToolException {@code DENIED} if the caller lacks a claim, or a claim is a list
     */
    public String value() {
        return replaced(found -> {
            Claim claim = claim(found.group(1));
            if (claim.list()) {
                throw denied("takes one value, and " + found.group() + " stands for a list");
            }
            return claim.texts().getFirst();
        });
    }

    /**
     * The same for a text that may be a list: if it is nothing but a placeholder, all values of the claim.
     *
     * @throws ToolException {@code DENIED} as for {@link #value}
     */
    public List<String> values() {
        Matcher whole = PLACEHOLDER.matcher(text);
        return whole.matches() ? claim(whole.group(1)).texts() : List.of(value());
    }

    /**
     * The text as an expression of a language: values are written as literals of that language.
     *
     * @param literal writes a claim that is found after the text before it; throws a {@link ToolException} if it can't
     * @throws ToolException {@code DENIED} if the caller lacks a claim
     */
    public String expression(Literal literal) {
        return replaced(found -> literal.of(claim(found.group(1)), text.substring(0, found.start())));
    }

    /** Writes values into an expression. */
    @FunctionalInterface
    public interface Literal {
        /** The literal for {@code claim} after {@code before}, the operator's text on its left. */
        String of(Claim claim, String before);
    }

    /** Whether its text is nothing but <code>{list:NAME}</code>. */
    public boolean list() {
        Matcher whole = PLACEHOLDER.matcher(text);
        return whole.matches() && whole.group(1).startsWith(LIST);
    }

    /** The names of the claims that its text has placeholders for. */
    public List<String> claims() {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(placeholder -> placeholder.contains(":"))
                .map(Binding::claimName)
                .toList();
    }

    /** Whether its text has placeholders. */
    public boolean hasPlaceholders() {
        return PLACEHOLDER.matcher(text).find();
    }

    /** The same binding for {@code some} of its text. */
    public Binding part(String some) {
        return new Binding(name, some, caller);
    }

    /** The failure of a call whose binding can't be honoured; {@code what} goes on after the binding's name. */
    public ToolException denied(String what) {
        return new ToolException(
                FailureKind.DENIED,
                "The binding \"" + name + "\" of your team " + what + ". Nothing was asked for. Ask the operator.");
    }

    private String replaced(Function<MatchResult, String> value) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value.apply(found)));
    }

    private Claim claim(String placeholder) {
        return switch (placeholder) {
            case "principal" -> Claim.of(caller.principal());
            case "team" -> Claim.of(caller.team());
            default -> {
                String wanted = claimName(placeholder);
                Claim claim = caller.claims().get(wanted);
                if (claim == null || claim.texts().stream().allMatch(String::isBlank)) {
                    throw denied("needs the claim \"" + wanted + "\", and you have none: a token has it if its issuer"
                            + " puts it there and the operator lists it (carry), a key if the teams file says so");
                }
                yield placeholder.startsWith(LIST) ? Claim.of(claim.texts()) : claim;
            }
        };
    }

    private static String claimName(String placeholder) {
        return placeholder.substring(placeholder.indexOf(':') + 1);
    }
}
