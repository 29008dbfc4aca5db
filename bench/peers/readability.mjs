// Mozilla's Readability on linkedom with turndown for Markdown, the usual combination in JavaScript.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

const turndown = new TurndownService();

export function toMarkdown(html) {
  const { document } = parseHTML(html);
  const article = new Readability(document).parse();
  return article ? turndown.turndown(article.content) : '';
}
