package switchboard.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import switchboard.text.YamlNesting;

/**
 * Reads a configuration, strictly: unknown and duplicate keys, values of the wrong type and values out of range are
 * errors, and all of them are reported at once with their lines.
 */
public final class ConfigLoader {
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setAllowDuplicateKeys(true) // found by Section, which can report them together with everything else
            .setMaxAliasesForCollections(20)
            .setCodePointLimit(4 * 1024 * 1024)
            .build();

    private final Map<String, Class<? extends Record>> backendTypes;
    private final Map<String, String> environment;

    /**
     * A loader.
     *
     * @param backendTypes the settings record of each backend type
     * @param environment environment variables for {@code ${env:NAME}}
     */
    public ConfigLoader(Map<String, Class<? extends Record>> backendTypes, Map<String, String> environment) {
        this.backendTypes = new TreeMap<>(backendTypes);
        this.environment = Map.copyOf(environment);
    }

    /**
     * Reads a file. {@code ${file:PATH}} is relative to its folder.
     *
     * @throws ConfigException with all problems
     */
    public GatewayConfig load(Path file, Overrides overrides) {
        String name = String.valueOf(file.getFileName());
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
        return parse(text(file), name, folder, overrides);
    }

    /**
     * Reads a teams file. A file without the key {@code teams} is refused: it has been emptied by mistake, or is being
     * written.
     *
     * @throws ConfigException with all problems
     */
    public TeamsConfig loadTeams(Path file) {
        String name = String.valueOf(file.getFileName());
        String yaml = text(file);
        Problems problems = new Problems(name);
        Optional<Node> teams = compose(yaml, problems).value("teams");
        if (teams.isEmpty() || teams.get().getTag().equals(Tag.NULL)) {
            throw new ConfigException(
                    List.of(new Problem(name, "has no key \"teams\"; for no teams at all, write: teams: {}")));
        }
        return parseTeams(yaml, name);
    }

    /** Reads {@code yaml} as {@link #loadTeams} would read a file with this name. */
    public TeamsConfig parseTeams(String yaml, String name) {
        Problems problems = new Problems(name);
        RecordBinder binder = binder(problems, Path.of(""), Overrides.NONE);
        TeamsConfig teams = bind(TeamsConfig.class, compose(yaml, problems), binder, problems);
        teams.teams().keySet().stream()
                .filter(ConfigLoader::isNoName)
                .forEach(team -> problems.add(
                        binder.location("teams." + team),
                        "the name of a team has at least one character and no control characters"));
        problems.throwIfAny();
        return teams;
    }

    /** Reads {@code yaml} as {@link #load} would read a file with this name in {@code folder}. */
    public GatewayConfig parse(String yaml, String name, Path folder, Overrides overrides) {
        Problems problems = new Problems(name);
        RecordBinder binder = binder(problems, folder, overrides);
        GatewayConfig config = bind(GatewayConfig.class, compose(yaml, problems), binder, problems);
        new ConfigChecks(config, binder, problems).run();
        problems.throwIfAny();
        return config.in(folder);
    }

    /**
     * Reads the tool descriptions of a view.
     *
     * @throws ConfigException with all problems
     */
    public ViewDescriptions loadViewTexts(Path file) {
        Problems problems = new Problems(String.valueOf(file.getFileName()));
        Section root = compose(text(file), problems);
        ViewDescriptions texts =
                bind(ViewDescriptions.class, root, binder(problems, Path.of(""), Overrides.NONE), problems);
        problems.throwIfAny();
        return texts;
    }

    /** Without a name, its members would count as callers of a gateway without teams, who may read every document. */
    private static boolean isNoName(String team) {
        return team.isBlank() || team.chars().anyMatch(Character::isISOControl);
    }

    private RecordBinder binder(Problems problems, Path folder, Overrides overrides) {
        return new RecordBinder(problems, new ReferenceResolver(folder, environment), overrides, backendTypes);
    }

    /** Reads the file and reports all problems. Checks across keys run only if every key could be read. */
    private static <T extends Record> T bind(Class<T> type, Section root, RecordBinder binder, Problems problems) {
        return switch (binder.record(type, root, "", Set.of())) {
            case BindingResult.Value(var value) -> Objects.requireNonNull(type.cast(value));
            case BindingResult.Invalid _ -> throw new ConfigException(problems.list());
        };
    }

    private static Section compose(String yaml, Problems problems) {
        if (YamlNesting.tooDeep(yaml)) {
            problems.add(problems.fileName(), "has more than " + YamlNesting.MOST + " levels of lists and mappings");
            throw new ConfigException(problems.list());
        }
        try {
            Optional<Node> root = new Compose(SETTINGS).composeString(yaml);
            if (root.isEmpty() || root.get().getTag().equals(Tag.NULL)) {
                return Section.absent(problems.fileName());
            }
            if (root.get() instanceof MappingNode mapping) {
                return Section.of(mapping, problems.fileName(), problems);
            }
            problems.add(root.get(), "a configuration consists of sections such as \"server:\"");
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark().map(problems::where).orElse(problems.fileName());
            problems.add(where, "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(problems.fileName(), "not YAML: " + e.getMessage());
        }
        throw new ConfigException(problems.list());
    }

    /** Parses a value that did not come from a file, so it has no line number. */
    static Node node(String yaml) {
        LoadSettings unmarked = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setUseMarks(false)
                .build();
        return new Compose(unmarked).composeString(yaml).orElseThrow();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw unreadable(file, "there is no such file; name another one with --config", e);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "is not UTF-8", e);
        } catch (IOException e) {
            throw unreadable(file, "can't be read: " + e.getMessage(), e);
        }
    }

    private static ConfigException unreadable(Path file, String message, IOException cause) {
        ConfigException exception = new ConfigException(List.of(new Problem(file.toString(), message)));
        exception.initCause(cause);
        return exception;
    }
}
