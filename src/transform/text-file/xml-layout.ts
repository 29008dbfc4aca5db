// Formats XML that is all on one line, with one line per element. XML that is formatted already stays unchanged.

const MAX_LENGTH = 500_000;
const MAX_INDENT = 12;
/** XML with a longer average line is not formatted yet. */
const LONG_LINE = 300;
const TOKEN = /<!\[CDATA\[|<!--|<[^<>]*>?|[^<]+/g;

export function layOutXml(source: string): string {
  const text = source.replace(/\r\n?/g, '\n').trim();
  const lines = text.split('\n').length;
  if (text.length > MAX_LENGTH || text.length / lines < LONG_LINE) return text;
  const out: string[] = [];
  let depth = 0;
  let isOpen = false;
  for (const { token, sort } of tokens(text)) {
    if (sort === 'text') {
      // The text of an element without children stays on the line of its tag.
      if (token.trim() !== '') out.push(isOpen ? `${out.pop()}${token.trim()}` : indented(token.trim(), depth));
    } else if (sort === 'end') {
      depth = Math.max(0, depth - 1);
      if (!isOpen) out.push(indented(token, depth));
      else out.push(`${out.pop()}${token}`);
    } else {
      out.push(indented(token, depth));
      if (sort === 'start') depth += 1;
    }
    isOpen = sort === 'start' || (sort === 'text' && isOpen);
  }
  return out.join('\n');
}

const indented = (token: string, depth: number): string => '  '.repeat(Math.min(MAX_INDENT, depth)) + token;

type Sort = 'start' | 'end' | 'text' | 'other';

function* tokens(text: string): Generator<{ token: string; sort: Sort }> {
  const tokenAt = new RegExp(TOKEN);
  for (let match = tokenAt.exec(text); match; match = tokenAt.exec(text)) {
    const [token] = match;
    if (token === '<!--' || token === '<![CDATA[') {
      const sign = token === '<!--' ? '-->' : ']]>';
      const end = text.indexOf(sign, tokenAt.lastIndex);
      const to = end === -1 ? text.length : end + sign.length;
      yield { token: text.slice(match.index, to), sort: token === '<!--' ? 'other' : 'text' };
      tokenAt.lastIndex = to;
    } else yield { token, sort: sortOf(token) };
  }
}

function sortOf(token: string): Sort {
  if (!token.startsWith('<')) return 'text';
  if (token.startsWith('</')) return 'end';
  return /^<[?!]|\/>$/.test(token) || !token.endsWith('>') ? 'other' : 'start';
}
