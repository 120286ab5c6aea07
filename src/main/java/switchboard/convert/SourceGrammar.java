package switchboard.convert;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.treesitter.TSLanguage;
import org.treesitter.TreeSitterC;
import org.treesitter.TreeSitterCpp;
import org.treesitter.TreeSitterGo;
import org.treesitter.TreeSitterJava;
import org.treesitter.TreeSitterJavascript;
import org.treesitter.TreeSitterPython;
import org.treesitter.TreeSitterRust;
import org.treesitter.TreeSitterTsx;
import org.treesitter.TreeSitterTypescript;

/** The languages whose files are split by syntax, and which of their syntax nodes are definitions. */
public final class SourceGrammar {
    private static final String SCRIPT =
            "function_declaration=Function generator_function_declaration=Function class_declaration=Class"
                    + " method_definition=Method";
    private static final String TYPED_SCRIPT = SCRIPT
            + " abstract_class_declaration=Class interface_declaration=Interface enum_declaration=Enum"
            + " type_alias_declaration=Type internal_module=Module module=Module";

    /** Definitions that hold others. */
    private static final Set<String> CONTAINERS = Set.of("Class", "Struct", "Trait", "Impl", "Module", "Interface");

    private static final List<SourceGrammar> ALL = List.of(
            new SourceGrammar(
                    "rust",
                    "rs",
                    TreeSitterRust::new,
                    "function_item=Function function_signature_item=Function struct_item=Struct enum_item=Enum union_item=Struct"
                            + " trait_item=Trait impl_item=Impl mod_item=Module macro_definition=Macro"),
            new SourceGrammar(
                    "python", "py pyi", TreeSitterPython::new, "function_definition=Function class_definition=Class"),
            new SourceGrammar("javascript", "js jsx mjs cjs", TreeSitterJavascript::new, SCRIPT),
            new SourceGrammar("typescript", "ts mts cts", TreeSitterTypescript::new, TYPED_SCRIPT),
            new SourceGrammar("typescript", "tsx", TreeSitterTsx::new, TYPED_SCRIPT),
            new SourceGrammar(
                    "go",
                    "go",
                    TreeSitterGo::new,
                    "function_declaration=Function method_declaration=Method type_declaration=Type"),
            new SourceGrammar(
                    "java",
                    "java",
                    TreeSitterJava::new,
                    "class_declaration=Class interface_declaration=Interface enum_declaration=Enum record_declaration=Class"
                            + " annotation_type_declaration=Interface method_declaration=Method"
                            + " constructor_declaration=Method compact_constructor_declaration=Method"),
            new SourceGrammar(
                    "c",
                    "c h",
                    TreeSitterC::new,
                    "function_definition=Function struct_specifier=Struct enum_specifier=Enum union_specifier=Struct"
                            + " type_definition=Type"),
            new SourceGrammar(
                    "cpp",
                    "cc cpp cxx hh hpp hxx",
                    TreeSitterCpp::new,
                    "function_definition=Function class_specifier=Class struct_specifier=Struct enum_specifier=Enum"
                            + " union_specifier=Struct type_definition=Type namespace_definition=Module"));

    private final String language;
    private final List<String> extensions;
    private final Supplier<TSLanguage> loader;
    private final Map<String, String> kinds;

    private SourceGrammar(String language, String extensions, Supplier<TSLanguage> loader, String kinds) {
        this.language = language;
        this.extensions = List.of(extensions.split(" "));
        this.loader = loader;
        this.kinds = Arrays.stream(kinds.split(" "))
                .map(pair -> pair.split("="))
                .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1]));
    }

    /** The grammar for files of that extension. */
    public static Optional<SourceGrammar> of(String extension) {
        String folded = extension.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(grammar -> grammar.extensions.contains(folded))
                .findFirst();
    }

    /** The extensions of all languages, with spaces between them. */
    static String allExtensions() {
        return ALL.stream().flatMap(grammar -> grammar.extensions.stream()).collect(Collectors.joining(" "));
    }

    /** The language's name. */
    public String language() {
        return language;
    }

    /** Loads the parser's tables, a native library. */
    TSLanguage load() {
        return loader.get();
    }

    /** The kind of definition that a syntax node of that type is. */
    Optional<String> kind(String nodeType) {
        return Optional.ofNullable(kinds.get(nodeType));
    }

    /** Whether definitions of that kind are looked into. */
    static boolean holdsOthers(String kind) {
        return CONTAINERS.contains(kind);
    }
}
