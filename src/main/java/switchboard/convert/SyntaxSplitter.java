package switchboard.convert;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treesitter.TSInputEncoding;
import org.treesitter.TSNode;
import org.treesitter.TSParser;
import org.treesitter.TSTree;
import org.treesitter.TSTreeCursor;
import switchboard.text.SurrogatePairs;

/**
 * Splits a source file by its syntax: each function, method and type is a piece with the comments above it; the code
 * in between is a piece of type {@code Code}. Files with syntax errors are split as far as they can be parsed.
 */
final class SyntaxSplitter {
    private static final Set<String> WITH_NEXT =
            Set.of("comment", "line_comment", "block_comment", "attribute_item", "inner_attribute_item", "decorator");

    private static final Set<String> NAMES = Set.of(
            "identifier",
            "type_identifier",
            "field_identifier",
            "qualified_identifier",
            "destructor_name",
            "operator_name",
            "namespace_identifier");

    /** Deeper syntax is not looked into: people don't write it, and each level takes room on the stack. */
    private static final int MAX_DEPTH = 200;

    private static final int MAX_NAME = 100;

    private final String text;
    private final SourceGrammar grammar;
    private final List<TextPiece> pieces = new ArrayList<>();

    private SyntaxSplitter(String text, SourceGrammar grammar) {
        this.text = text;
        this.grammar = grammar;
    }

    /**
     * The pieces of {@code text}.
     *
     * @param limit how long the parser may take: where it finds no syntax, its time can grow with the square of the
     *     text's length
     * @return empty if the parser was not done by then
     */
    static Optional<List<TextPiece>> of(String text, SourceGrammar grammar, Duration limit) {
        try (TSParser parser = new TSParser()) {
            parser.setLanguage(grammar.load());
            return parse(parser, text, limit).map(parsed -> {
                try (TSTree tree = parsed) {
                    SyntaxSplitter cut = new SyntaxSplitter(text, grammar);
                    cut.inside(tree.getRootNode(), new TextPiece(0, text.length(), "Code", ""), 0);
                    return cut.pieces;
                }
            });
        }
    }

    /** By UTF-16, whose units are those of {@code text}. */
    private static Optional<TSTree> parse(TSParser parser, String text, Duration limit) {
        byte[] utf16 = text.getBytes(StandardCharsets.UTF_16LE);
        long start = System.nanoTime();
        return Optional.ofNullable(parser.parseWithOptions(
                new byte[utf16.length],
                null,
                (part, from, _) -> {
                    int length = Math.clamp(utf16.length - from, 0, part.length);
                    System.arraycopy(utf16, Math.min(from, utf16.length), part, 0, length);
                    return length;
                },
                TSInputEncoding.TSInputEncodingUTF16LE,
                _ -> System.nanoTime() - start > limit.toNanos()));
    }

    private record SyntaxDefinition(TSNode node, int start, int end, String kind) {}

    /** Adds the pieces of {@code whole}, whose syntax is {@code node}. */
    private void inside(TSNode node, TextPiece whole, int depth) {
        List<SyntaxDefinition> definitions = new ArrayList<>();
        collect(node, definitions, depth);
        int at = whole.start();
        for (SyntaxDefinition definition : definitions) {
            int start = Math.max(at, definition.start());
            int end = Math.min(whole.end(), throughLine(definition.end()));
            if (end <= start) {
                continue;
            }
            if (start > at && !blank(at, start)) {
                pieces.add(new TextPiece(at, start, whole.type(), whole.breadcrumb()));
                at = start;
            }
            add(definition, new TextPiece(at, end, kind(definition, whole), crumb(definition, whole)), depth);
            at = end;
        }
        if (at < whole.end()) {
            rest(at, whole);
        }
    }

    /** The end of a container: closing brackets go to the piece before them. */
    private void rest(int at, TextPiece whole) {
        if (!pieces.isEmpty() && pieces.getLast().end() == at && blank(at, whole.end())) {
            TextPiece last = pieces.removeLast();
            pieces.add(new TextPiece(last.start(), whole.end(), last.type(), last.breadcrumb()));
        } else {
            pieces.add(new TextPiece(at, whole.end(), whole.type(), whole.breadcrumb()));
        }
    }

    private void add(SyntaxDefinition definition, TextPiece piece, int depth) {
        if (SourceGrammar.holdsOthers(definition.kind()) && depth < MAX_DEPTH) {
            inside(definition.node(), piece, depth + 1);
        } else {
            pieces.add(piece);
        }
    }

    /** A function of a type is a method. */
    private static String kind(SyntaxDefinition definition, TextPiece whole) {
        boolean method = definition.kind().equals("Function")
                && Set.of("Class", "Impl", "Trait", "Struct", "Interface").contains(whole.type());
        return method ? "Method" : definition.kind();
    }

    private String crumb(SyntaxDefinition definition, TextPiece whole) {
        String name = name(definition.node()).orElse("");
        return whole.breadcrumb().isEmpty() || name.isEmpty()
                ? whole.breadcrumb() + name
                : whole.breadcrumb() + "::" + name;
    }

    /** The outermost definitions below {@code node}, in order. */
    private void collect(TSNode node, List<SyntaxDefinition> found, int depth) {
        int leading = -1;
        int leadingEnd = -1;
        for (TSNode child : depth < MAX_DEPTH ? namedChildren(node) : List.<TSNode>of()) {
            String type = child.getType();
            if (WITH_NEXT.contains(type)) {
                leading = leading < 0 || apart(leadingEnd, child) ? child.getStartByte() : leading;
                leadingEnd = child.getEndByte();
                continue;
            }
            Optional<String> kind = kindOf(child);
            int from = leading >= 0 ? leading : child.getStartByte();
            if (kind.isPresent()) {
                found.add(new SyntaxDefinition(child, lineStart(unit(from)), unit(child.getEndByte()), kind.get()));
            } else {
                int before = found.size();
                collect(child, found, depth + 1);
                // An export, a decorator or a template around one definition belongs to it.
                if (found.size() == before + 1 && wraps(child)) {
                    SyntaxDefinition inner = found.removeLast();
                    found.add(new SyntaxDefinition(
                            inner.node(), lineStart(unit(from)), unit(child.getEndByte()), inner.kind()));
                }
            }
            leading = -1;
        }
    }

    /** By a cursor: to ask for the child of a number takes as long as all children before it. */
    private static List<TSNode> namedChildren(TSNode node) {
        List<TSNode> children = new ArrayList<>();
        try (TSTreeCursor cursor = new TSTreeCursor(node)) {
            for (boolean more = cursor.gotoFirstChild(); more; more = cursor.gotoNextSibling()) {
                if (cursor.currentNode().isNamed()) {
                    children.add(cursor.currentNode());
                }
            }
        }
        return children;
    }

    /**
     * Whether a blank line is between {@code comment} and the one before it, which ends at {@code end}. From there only:
     * to read from the first comment again for each would take the square of their number.
     */
    private boolean apart(int end, TSNode comment) {
        // A line comment of some grammars ends after its line.
        int from = Math.max(0, unit(end) - 1);
        String between = text.substring(from, Math.max(from, unit(comment.getStartByte())));
        return between.contains("\n\n") || between.contains("\n\r\n");
    }

    private Optional<String> kindOf(TSNode node) {
        String type = node.getType();
        if (type.equals("variable_declarator") || type.equals("lexical_declaration")) {
            return Optional.empty();
        }
        // A mere mention of a type, as in "struct point p;", defines nothing.
        boolean mention =
                type.endsWith("_specifier") && node.getChildByFieldName("body").isNull();
        return mention ? Optional.empty() : grammar.kind(type);
    }

    private static boolean wraps(TSNode node) {
        return Set.of("export_statement", "decorated_definition", "template_declaration", "ambient_declaration")
                .contains(node.getType());
    }

    private Optional<String> name(TSNode node) {
        if (node.getType().equals("impl_item")) {
            return field(node, "type").map(this::textOf);
        }
        Optional<TSNode> named = field(node, "name");
        if (named.isPresent()) {
            return named.map(this::textOf);
        }
        // Go keeps the name in a type_spec, C and C++ below any number of declarators.
        TSNode at = node;
        for (int depth = 0; depth < 8; depth++) {
            Optional<TSNode> next = field(at, "declarator");
            if (next.isEmpty()) {
                break;
            }
            at = next.get();
            if (NAMES.contains(at.getType())) {
                return Optional.of(textOf(at));
            }
        }
        return node.getNamedChildCount() > 0
                ? field(node.getNamedChild(0), "name").map(this::textOf)
                : Optional.empty();
    }

    private static Optional<TSNode> field(TSNode node, String name) {
        TSNode child = node.getChildByFieldName(name);
        return child.isNull() ? Optional.empty() : Optional.of(child);
    }

    private String textOf(TSNode node) {
        int start = unit(node.getStartByte());
        return SurrogatePairs.start(
                text.substring(start, Math.min(unit(node.getEndByte()), start + MAX_NAME + 1)), MAX_NAME);
    }

    private int unit(int utf16Byte) {
        return Math.min(utf16Byte / Character.BYTES, text.length());
    }

    /** The start of the line of {@code at} if only white space is before it there. */
    private int lineStart(int at) {
        int start = at;
        while (start > 0 && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
            start--;
        }
        return start == 0 || text.charAt(start - 1) == '\n' ? start : at;
    }

    /** Past the end of the line of {@code at} if only white space or punctuation is behind it there. */
    private int throughLine(int at) {
        int end = at;
        while (end < text.length()
                && text.charAt(end) != '\n'
                && !Character.isLetterOrDigit(text.charAt(end))
                && "/#{}".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end < text.length() && text.charAt(end) == '\n' ? end + 1 : at;
    }

    private boolean blank(int from, int to) {
        return text.substring(from, to).chars().noneMatch(Character::isLetterOrDigit);
    }
}
