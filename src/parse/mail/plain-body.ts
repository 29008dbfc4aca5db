// Converts a plain-text mail to HTML: keeps line breaks and columns, turns quoted lines into block quotes.
import { escapeHtml } from '../../markup/html/escape-html.ts';

const MAX_QUOTES = 20;
const URL_PATTERN = /https?:\/\/[^\s"'<>\\]{1,2000}/g;
const QUOTE_MARKS = /^(?:> ?){1,100}/;

export function plainTextHtml(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let block: string[] = [];
  const flush = (): void => {
    if (block.length > 0) parts.push(blockHtml(block));
    block = [];
  };
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    const quotes = Math.min(MAX_QUOTES, marks.length - marks.replaceAll('>', '').length);
    const words = line.slice(marks.length).trimEnd();
    if (quotes !== depth || words === '') flush();
    while (depth < quotes) {
      parts.push('<blockquote>');
      depth += 1;
    }
    // Whether a blank line ends a quotation depends on the next line.
    if (words === '' && quotes < depth) continue;
    while (depth > quotes) {
      parts.push('</blockquote>');
      depth -= 1;
    }
    if (words !== '') block.push(words);
  }
  flush();
  return parts.join('\n') + '</blockquote>'.repeat(depth);
}

function blockHtml(lines: string[]): string {
  // Columns aligned with spaces would fall apart as running text.
  const columns = lines.filter((line) => /\S(?: {3}|\t)/.test(line)).length;
  if (columns >= 2 && columns * 2 > lines.length) return `<pre>${escapeHtml(lines.join('\n'))}</pre>`;
  return `<p>${lines.map((line) => lineHtml(line.trimStart())).join('<br>\n')}</p>`;
}

function lineHtml(line: string): string {
  let html = '';
  let from = 0;
  for (const { 0: match, index } of line.matchAll(URL_PATTERN)) {
    const address = match.replace(/[.,;:!?)\]}]{1,9}$/, '');
    html += `${escapeHtml(line.slice(from, index))}<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
    from = index + address.length;
  }
  return html + escapeHtml(line.slice(from));
}
