-- Looks at standing questions go in pages, in this order. What held its place is needed until it is there.
CREATE INDEX watch_order ON watch (touched, uri);
DROP INDEX watch_touched;
