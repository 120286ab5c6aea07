-- Looks at standing questions go in pages, in this order.
DROP INDEX watch_touched;
CREATE INDEX watch_order ON watch (touched, uri);
-- What forgets lines before a time finds them.
CREATE INDEX insight_line_time ON insight_line (time);
