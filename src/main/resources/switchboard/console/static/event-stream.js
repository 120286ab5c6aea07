/**
 * The events of a `text/event-stream` body, one after the other.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} [heard] called whenever something has come, a comment too
 * @returns {AsyncGenerator<{event: string, id: string, data: string}>} `id` is the last one so far
 */
export async function* serverEvents(body, heard = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let data = [];
  let event = '';
  let id = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        if (line === '') {
          if (data.length) yield { event: event || 'message', id, data: data.join('\n') };
          data = [];
          event = '';
          continue;
        }
        const [, field, text] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
        if (field === 'data') data.push(text ?? '');
        else if (field === 'event') event = text ?? '';
        else if (field === 'id') id = text ?? '';
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Only their data.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<string>}
 */
export async function* eventData(body) {
  for await (const { data } of serverEvents(body)) yield data;
}
