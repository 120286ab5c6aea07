const STORED = 'switchboard.shortcuts';

/** Whether single keys such as `/` and `j` do something; a person may switch them off. */
export function shortcutsOn() {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
}

/**
 * Switches single keys on or off in this browser.
 *
 * @param {boolean} on
 */
export function setShortcuts(on) {
  try {
    if (on) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, 'off');
  } catch {
    // Without storage they stay as they are.
  }
}

/**
 * The single key of an event, if it is one that may do something: not in a text field, not with a modifier.
 *
 * @param {KeyboardEvent} event
 * @returns {string} empty if not
 */
export function singleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return '';
  if (event.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')) return '';
  return event.key.length > 1 || shortcutsOn() ? event.key : '';
}
