package switchboard.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Translates filters into Lucene queries. */
final class Filters {
    private static final Set<String> FIELDS = Set.of(
            "doc_id",
            "source",
            "title",
            "file_type",
            "last_modified",
            "content_hash",
            "created_at",
            "model",
            "page",
            "chunk_index");

    private static final int MAX_PART = 200;

    private Filters() {}

    /** The query that selects {@code kind} (see {@link DocumentSchema}) and passes {@code filter}. */
    static Query of(String kind, Filter filter) {
        TermQuery ofKind = new TermQuery(new Term(DocumentSchema.KIND, kind));
        return query(filter)
                .<Query>map(query -> new BooleanQuery.Builder()
                        .add(ofKind, Occur.FILTER)
                        .add(query, Occur.FILTER)
                        .build())
                .orElse(ofKind);
    }

    /** The query of a filter; empty for a filter that matches everything. */
    static Optional<Query> query(Filter filter) {
        return switch (filter) {
            case Filter.All all -> Optional.empty();
            case Filter.Equal equal ->
                Optional.of(new TermQuery(
                        new Term(MetadataTerms.FIELD, MetadataTerms.term(known(equal.field()), equal.value()))));
            case Filter.Between range -> Optional.of(range(range));
            case Filter.Contains contains -> Optional.of(contains(contains));
            case Filter.Exists exists ->
                Optional.of(
                        new PrefixQuery(new Term(MetadataTerms.FIELD, MetadataTerms.prefix(known(exists.field())))));
            case Filter.And and -> and(and);
            case Filter.Or or -> Optional.of(or(or));
            case Filter.Not not ->
                Optional.of(new BooleanQuery.Builder()
                        .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
                        .add(query(not.filter()).orElse(MatchAllDocsQuery.INSTANCE), Occur.MUST_NOT)
                        .build());
        };
    }

    /**
     * Conditions of the document itself.
     *
     * @param wide what stands for a condition of a chunk: true matches everything, false nothing
     */
    static Filter withoutChunks(Filter filter, boolean wide) {
        return switch (filter) {
            case Filter.All all -> all;
            case Filter.Equal(String field, Filter.Value _) -> ofDocument(field, filter, wide);
            case Filter.Between(String field, Filter.Value _, Filter.Value _) -> ofDocument(field, filter, wide);
            case Filter.Contains(String field, String _) -> ofDocument(field, filter, wide);
            case Filter.Exists(String field) -> ofDocument(field, filter, wide);
            case Filter.And(List<Filter> all) ->
                new Filter.And(all.stream().map(one -> withoutChunks(one, wide)).toList());
            case Filter.Or(List<Filter> any) ->
                new Filter.Or(any.stream().map(one -> withoutChunks(one, wide)).toList());
            case Filter.Not(Filter not) -> new Filter.Not(withoutChunks(not, !wide));
        };
    }

    private static Filter ofDocument(String field, Filter filter, boolean wide) {
        boolean ofChunk = field.equals("page") || field.equals("chunk_index") || field.startsWith("label.");
        if (!ofChunk) {
            return filter;
        }
        return wide ? new Filter.All() : new Filter.Or(List.of());
    }

    private static String known(String field) {
        if (FIELDS.contains(field) || field.startsWith(MetadataTerms.METADATA) || field.startsWith("label.")) {
            return field;
        }
        throw new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Unknown filter field: " + field + ". Fields are "
                        + String.join(", ", FIELDS.stream().sorted().toList()) + " and metadata.<key>.");
    }

    private static Optional<Query> and(Filter.And and) {
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        and.filters().forEach(filter -> query(filter).ifPresent(query -> all.add(query, Occur.FILTER)));
        BooleanQuery built = all.build();
        return built.clauses().isEmpty() ? Optional.empty() : Optional.of(built);
    }

    private static Query or(Filter.Or or) {
        BooleanQuery.Builder any = new BooleanQuery.Builder();
        or.filters().forEach(filter -> any.add(query(filter).orElse(MatchAllDocsQuery.INSTANCE), Occur.SHOULD));
        return new ConstantScoreQuery(any.build());
    }

    private static Query range(Filter.Between range) {
        Filter.Value lower = range.min();
        Filter.Value upper = range.max();
        String key = known(range.field());
        char type = type(Objects.requireNonNull(lower != null ? lower : upper));
        BytesRef min = lower == null ? MetadataTerms.prefix(key, type) : MetadataTerms.term(key, lower);
        // Above every value of this type: the prefix with its last byte, the type, one up.
        BytesRef max = upper == null ? MetadataTerms.prefix(key, (char) (type + 1)) : MetadataTerms.term(key, upper);
        return new TermRangeQuery(MetadataTerms.FIELD, min, max, true, upper != null);
    }

    private static char type(Filter.Value value) {
        return switch (value) {
            case Filter.Value.TextValue text -> MetadataTerms.TEXT;
            case Filter.Value.NumberValue numeric -> MetadataTerms.NUMBER;
            case Filter.Value.BooleanValue bool -> MetadataTerms.BOOL;
        };
    }

    private static Query contains(Filter.Contains contains) {
        if (contains.part().length() > MAX_PART) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "A filter on a part of a text takes at most " + MAX_PART + " characters. Use a shorter one.");
        }
        BytesRef prefix = MetadataTerms.prefix(known(contains.field()), MetadataTerms.TEXT);
        BytesRef part = new BytesRef(contains.part().getBytes(StandardCharsets.UTF_8));
        Automaton automaton = Operations.concatenate(List.of(
                Automata.makeBinary(prefix),
                Automata.makeAnyBinary(),
                Automata.makeBinary(part),
                Automata.makeAnyBinary()));
        Automaton determinate = Operations.determinize(automaton, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
        return new AutomatonQuery(new Term(MetadataTerms.FIELD, prefix), determinate, true);
    }
}
