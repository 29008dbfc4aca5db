// mdream's native engine with its minimal preset, which isolates the main content. Without front matter: it would count
// as unwanted text.
import { htmlToMarkdown } from 'mdream';

export const toMarkdown = (html, url) =>
  htmlToMarkdown(html, { origin: new URL(url).origin, minimal: true, frontmatter: false });
