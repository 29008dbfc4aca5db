// mdream's native engine with its minimal preset, which selects the main content. Front matter is off, since it would
// count as unwanted text.
import { htmlToMarkdown } from 'mdream';

export const toMarkdown = (html, url) =>
  htmlToMarkdown(html, { origin: new URL(url).origin, minimal: true, frontmatter: false });
