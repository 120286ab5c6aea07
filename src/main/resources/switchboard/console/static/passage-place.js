/** Shorter beginnings of a passage than this are found in too many places. */
const LEAST = 24;
const BEGINNING = 80;

/**
 * Where a passage is in a text. A passage may differ from its document in white space and case, may have a heading in
 * front, and a snippet has `…` where something is left out.
 *
 * @param {string} text
 * @param {string} passage
 * @returns {{from: number, to: number} | null} in UTF-16 units
 */
export function placeOf(text, passage) {
  const exact = text.indexOf(passage);
  if (exact >= 0) return { from: exact, to: exact + passage.length };
  const document = squeezed(text);
  const pieces = passage.split('…').map(piece => squeezed(piece).text.trim()).filter(Boolean);
  const whole = placesOf(document, pieces);
  if (whole) return whole;
  const lines = passage.split(/\n+/).map(line => squeezed(line).text.trim());
  return placesOf(document, lines.filter(line => line.length >= LEAST)) ?? begins(document, pieces[0] ?? '');
}

/** From the first piece that is there to the last one behind it. */
function placesOf(document, pieces) {
  let from = -1;
  let to = 0;
  for (const piece of pieces) {
    const at = document.text.indexOf(piece, to);
    if (at < 0) continue;
    if (from < 0) from = at;
    to = at + piece.length;
  }
  return from < 0 ? null : { from: document.at[from], to: document.at[to - 1] + 1 };
}

function begins(document, piece) {
  const beginning = piece.slice(0, BEGINNING);
  const at = beginning.length < LEAST ? -1 : document.text.indexOf(beginning);
  return at < 0 ? null : { from: document.at[at], to: document.at[at + beginning.length - 1] + 1 };
}

/** The text in lower case with single spaces, and for each of its units where it was. */
function squeezed(text) {
  const units = [];
  const at = [];
  let space = true;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    const white = /\s/.test(unit);
    if (white && space) continue;
    const lower = unit.toLowerCase();
    units.push(white ? ' ' : lower.length === 1 ? lower : unit);
    at.push(i);
    space = white;
  }
  return { text: units.join(''), at };
}
