package switchboard.store;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What identifiers in source code write for an English word: a question about a directory also finds {@code dir}. Only usual
 * abbreviations that are not words themselves, of words that share their term with no frequent word of another meaning:
 * "authorization" has the term of "author".
 */
final class Abbreviations {
    /** A word and its abbreviations, then the next word. */
    private static final String TABLE = """
            address addr, allocate alloc, application app, argument arg, array arr, asynchronous async, attribute attr,
            authenticate auth, average avg, boolean bool, buffer buf, calculate calc, callback cb, certificate cert,
            character char ch, column col, command cmd, compare cmp, concatenate concat, configuration config cfg conf,
            configure config cfg conf, connection conn, context ctx, count cnt, current cur curr, database db,
            debug dbg, declaration decl, delete del, delimiter delim, dependency dep, description desc, descriptor desc,
            destination dest dst, development dev, dictionary dict, dimension dim, directory dir, distribution dist,
            document doc, duplicate dup, element elem, environment env, equal eq, error err, evaluate eval,
            exception exc, execute exec, expression expr, format fmt, function func fn, header hdr, image img,
            implementation impl, increment incr inc, index idx, information info, initialize init, insert ins,
            instance inst, integer int, length len, library lib, location loc, maximum max, memory mem, message msg,
            method meth, minimum min, module mod, multiply mul, number num, object obj, option opt, package pkg,
            parameter param, password passwd pwd, pointer ptr, position pos, positive pos, previous prev, process proc,
            property prop, protocol proto, query qry, reference ref, repository repo, request req, response resp,
            separator sep, sequence seq, server srv, session sess, signature sig, source src, statement stmt,
            statistics stats, string str, structure struct, subtract sub, synchronize sync, table tbl,
            temporary temp tmp, text txt, tokenize tok, transaction txn tx, transform trans, unique uniq, value val,
            variable var, vector vec\
            """;

    /** The terms of abbreviations by the term of the word. Words with the same term have the abbreviations of all. */
    private static final Map<String, List<String>> BY_TERM = Arrays.stream(TABLE.split(","))
            .map(row -> Arrays.stream(row.strip().split(" "))
                    .map(TextAnalysis::ofEnglishWord)
                    .toList())
            .collect(Collectors.toUnmodifiableMap(
                    List::getFirst, row -> row.subList(1, row.size()), (some, others) -> Stream.concat(
                                    some.stream(), others.stream())
                            .distinct()
                            .toList()));

    private Abbreviations() {}

    /** The terms that identifiers have for the word with this term; none if the word has no usual abbreviation. */
    static List<String> of(String term) {
        return BY_TERM.getOrDefault(term, List.of());
    }
}
