package switchboard.store;

import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FilterCollector;
import org.apache.lucene.search.FilterLeafCollector;
import org.apache.lucene.search.FilterScorable;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;

/** Collects only what may have at least a certain score, so that Lucene skips the rest from the beginning. */
final class LeastScoreCollector extends FilterCollector {
    private final TopFieldCollector collector;
    private final float least;

    private LeastScoreCollector(TopFieldCollector collector, float least) {
        super(collector);
        this.collector = collector;
        this.least = least;
    }

    /** Makes {@code all} collect what may have the score {@code least}, or a better one. */
    static CollectorManager<LeastScoreCollector, TopFieldDocs> manager(TopFieldCollectorManager all, float least) {
        return new CollectorManager<>() {
            @Override
            public LeastScoreCollector newCollector() throws IOException {
                return new LeastScoreCollector(all.newCollector(), least);
            }

            @Override
            public TopFieldDocs reduce(Collection<LeastScoreCollector> parts) throws IOException {
                return all.reduce(parts.stream().map(part -> part.collector).toList());
            }
        };
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
        return new FilterLeafCollector(super.getLeafCollector(segment)) {
            @Override
            public void setScorer(Scorable scorer) throws IOException {
                scorer.setMinCompetitiveScore(least);
                super.setScorer(new AtLeast(scorer));
            }
        };
    }

    /** Never asks for less than the least score. */
    private final class AtLeast extends FilterScorable {
        AtLeast(Scorable in) {
            super(in);
        }

        @Override
        public void setMinCompetitiveScore(float score) throws IOException {
            in.setMinCompetitiveScore(Math.max(score, least));
        }
    }
}
