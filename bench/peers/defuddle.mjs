// Defuddle on linkedom with its own Markdown writer, without requests to other services.
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

// Defuddle logs every page with broken JSON-LD, which would add to its time.
console.error = () => {};

export async function toMarkdown(html, url) {
  const { document } = parseHTML(html);
  const { content } = await Defuddle(document, url, { markdown: true, useAsync: false });
  return content;
}
