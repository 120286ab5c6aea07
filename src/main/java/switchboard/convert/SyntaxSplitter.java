package switchboard.convert;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treesitter.TSNode;
import org.treesitter.TSParser;
import org.treesitter.TSTree;
import org.treesitter.TSTreeCursor;

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

    private final String text;
    private final SourceGrammar grammar;
    private final int[] units;
    private final List<TextPiece> pieces = new ArrayList<>();

    private SyntaxSplitter(String text, SourceGrammar grammar) {
        this.text = text;
        this.grammar = grammar;
        this.units = units(text);
    }

    /** The pieces of {@code text}. */
    static List<TextPiece> of(String text, SourceGrammar grammar) {
        SyntaxSplitter cut = new SyntaxSplitter(text, grammar);
        TSParser parser = new TSParser();
        parser.setLanguage(grammar.load());
        TSTree tree = parser.parseString(null, text);
        cut.inside(tree.getRootNode(), new TextPiece(0, text.length(), "Code", ""), 0);
        return cut.pieces;
    }

    /** For each byte of the text's UTF-8, the UTF-16 unit it belongs to; and the end. */
    private static int[] units(String text) {
        int[] units = new int[text.getBytes(StandardCharsets.UTF_8).length + 1];
        int at = 0;
        for (int unit = 0; unit < text.length(); unit++) {
            char c = text.charAt(unit);
            int bytes = c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            for (int i = 0; i < bytes && at < units.length - 1; i++) {
                units[at++] = unit;
            }
        }
        units[units.length - 1] = text.length();
        return units;
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
        for (TSNode child : depth < MAX_DEPTH ? namedChildren(node) : List.<TSNode>of()) {
            String type = child.getType();
            if (WITH_NEXT.contains(type)) {
                leading = leading < 0 || apart(leading, child) ? child.getStartByte() : leading;
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

    /** Whether a blank line keeps {@code comment} from what began at {@code leading}. */
    private boolean apart(int leading, TSNode comment) {
        String between = text.substring(unit(leading), unit(comment.getStartByte()));
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
        String name = text.substring(unit(node.getStartByte()), unit(node.getEndByte()));
        return name.length() > 100 ? name.substring(0, 100) : name;
    }

    private int unit(int utf8Byte) {
        return units[Math.min(utf8Byte, units.length - 1)];
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
