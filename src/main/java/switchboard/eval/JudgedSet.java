package switchboard.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/**
 * A collection with judged queries, in the format of BEIR (Thakur et al. 2021): {@code corpus.jsonl} ({@code _id}, {@code
 * title}, {@code text}), {@code queries.jsonl} ({@code _id}, {@code text}), {@code qrels/test.tsv} (query, document, grade,
 * after a header line). The same without the folder {@code qrels} is read, too: {@code qrels.tsv} and, for the train split,
 * {@code qrels.train.tsv} and {@code queries.train.jsonl}.
 *
 * @param name name of the folder
 * @param titles the title of each document that has one, by id
 * @param texts title and text of each document by id, in the order of the file
 * @param queries the queries with a judgement above 0, by id
 * @param grades the grades above 0, by query, then document
 */
public record JudgedSet(
        String name,
        Map<String, String> titles,
        Map<String, String> texts,
        Map<String, String> queries,
        Map<String, Map<String, Integer>> grades) {
    private static final Pattern CHUNK = Pattern.compile("(.+)_chunk_([0-9]{1,6})");

    /** One whose documents have no titles. */
    public JudgedSet(
            String name,
            Map<String, String> texts,
            Map<String, String> queries,
            Map<String, Map<String, Integer>> grades) {
        this(name, Map.of(), texts, queries, grades);
    }

    /** Reads {@code folder} with the queries of its test split. */
    public static JudgedSet read(Path folder) throws IOException {
        return read(folder, either(folder, "qrels/test.tsv", BeirFiles.QRELS), folder.resolve(BeirFiles.QUERIES));
    }

    /** The same with documents whose texts are empty, for who needs their ids only; of more than {@code most} the first. */
    public static JudgedSet readWithoutTexts(Path folder, int most) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        eachObject(folder.resolve(BeirFiles.CORPUS), document -> {
            if (texts.size() < most) {
                texts.put(document.path("_id").asText(), "");
            }
        });
        JudgedSet questions =
                questions(folder, either(folder, "qrels/test.tsv", BeirFiles.QRELS), folder.resolve(BeirFiles.QUERIES));
        return new JudgedSet(questions.name(), texts, questions.queries(), questions.grades());
    }

    /** How many queries of {@code folder} have a judgement above 0 in its test split. */
    public static int answeredQueries(Path folder) throws IOException {
        return grades(either(folder, "qrels/test.tsv", BeirFiles.QRELS)).size();
    }

    /** The name of the set in {@code folder}. */
    public static String nameOf(Path folder) {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return name == null ? "" : name.toString();
    }

    /** Whether {@code folder} has a test split. */
    public static boolean isThere(Path folder) {
        return Files.exists(either(folder, "qrels/test.tsv", BeirFiles.QRELS));
    }

    /** Reads {@code folder} with the queries of its train split. */
    public static JudgedSet readTrain(Path folder) throws IOException {
        return read(
                folder,
                either(folder, "qrels/train.tsv", "qrels.train.tsv"),
                either(folder, "queries.train.jsonl", "queries.jsonl"));
    }

    /** Whether {@code folder} has a train split. */
    public static boolean hasTrain(Path folder) {
        return Files.exists(either(folder, "qrels/train.tsv", "qrels.train.tsv"));
    }

    private static Path either(Path folder, String first, String other) {
        Path second = folder.resolve(other);
        return Files.exists(second) && !Files.exists(folder.resolve(first)) ? second : folder.resolve(first);
    }

    /**
     * The texts that are chunks of one document, in order, by document: those with ids {@code ..._chunk_0}, {@code
     * ..._chunk_1} and so on. Any other text is a document of its own.
     */
    public Map<String, List<String>> documents() {
        Map<String, List<String>> documents = new LinkedHashMap<>();
        for (String id : texts.keySet()) {
            Matcher chunk = CHUNK.matcher(id);
            boolean next = chunk.matches()
                    && documents.getOrDefault(chunk.group(1), List.of()).size() == Integer.parseInt(chunk.group(2));
            documents
                    .computeIfAbsent(next ? chunk.group(1) : id, document -> new ArrayList<>())
                    .add(id);
        }
        return documents;
    }

    private static JudgedSet read(Path folder, Path qrels, Path queries) throws IOException {
        JudgedSet questions = questions(folder, qrels, queries);
        Map<String, String> titles = new LinkedHashMap<>();
        Map<String, String> texts = new LinkedHashMap<>();
        eachObject(folder.resolve(BeirFiles.CORPUS), document -> {
            String id = document.path("_id").asText();
            String title = document.path("title").asText();
            String text = document.path("text").asText();
            if (!title.isEmpty()) {
                titles.put(id, title);
            }
            texts.put(id, title.isEmpty() ? text : title + "\n" + text);
        });
        return new JudgedSet(questions.name(), titles, texts, questions.queries(), questions.grades());
    }

    /** One that has no documents yet. */
    private static JudgedSet questions(Path folder, Path qrels, Path questions) throws IOException {
        Map<String, Map<String, Integer>> grades = grades(qrels);
        Map<String, String> queries = new LinkedHashMap<>();
        eachObject(questions, query -> {
            String id = query.path("_id").asText();
            if (grades.containsKey(id)) {
                queries.put(id, query.path("text").asText());
            }
        });
        return new JudgedSet(nameOf(folder), Map.of(), queries, grades);
    }

    private static void eachObject(Path file, Consumer<JsonNode> reader) throws IOException {
        eachLine(file, (number, line) -> reader.accept(object(file, number, line)));
    }

    private static JsonNode object(Path file, int number, String line) throws JudgedSetException {
        try {
            JsonNode object = Json.parse(line);
            if (object.path("_id").isValueNode()) {
                return object;
            }
        } catch (JsonProcessingException e) {
            // the same message as for JSON without an id
        }
        throw new JudgedSetException(file + ", line " + number + ": must be a JSON object with an \"_id\".");
    }

    /** The first line may be any heading. A later line that is no judgment is refused: left out, it would change the figures. */
    private static Map<String, Map<String, Integer>> grades(Path file) throws IOException {
        Map<String, Map<String, Integer>> grades = new LinkedHashMap<>();
        eachLine(file, (number, line) -> {
            String[] columns = line.split("\t", -1);
            boolean judgment = columns.length == 3 && columns[2].matches("-?[0-9]{1,9}");
            if (!judgment && number > 1) {
                throw new JudgedSetException(file + ", line " + number
                        + ": must be the id of a query, the id of a document and a whole number, with tabs between.");
            }
            if (judgment && Integer.parseInt(columns[2]) > 0) {
                grades.computeIfAbsent(columns[0], query -> new LinkedHashMap<>())
                        .put(columns[1], Integer.valueOf(columns[2]));
            }
        });
        return grades;
    }

    /** Takes a line that is not blank. */
    private interface LineConsumer {
        void take(int number, String line) throws IOException;
    }

    private static void eachLine(Path file, LineConsumer reader) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    reader.take(number, line);
                }
                number++;
            }
        } catch (NoSuchFileException e) {
            throw new JudgedSetException("There is no file " + file + ". A judged set needs it.");
        } catch (CharacterCodingException e) {
            throw new JudgedSetException(file + ": must be text in UTF-8.");
        }
    }
}
