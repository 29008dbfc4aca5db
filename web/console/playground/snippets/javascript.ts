// The call with the official JavaScript SDK, which works with this server by its address.
import { DEFAULT_FILE, type Snippet, type SnippetRequest, withoutMain } from './snippet.ts';

export function javascriptSnippet(request: SnippetRequest): Snippet {
  const { operation, baseUrl, isOpen } = request;
  const lines = [
    "import { Firecrawl } from 'firecrawl';",
    ...(operation === 'parse' ? ["import { readFile } from 'node:fs/promises';"] : []),
    '',
    `const firecrawl = new Firecrawl({ apiKey: ${isOpen ? "'none'" : 'process.env.TRAWL_API_KEY'}, apiUrl: ${jsLiteral(baseUrl)} });`,
    `const answer = await firecrawl.${operation}(${jsArguments(request).join(', ')});`,
    'console.log(answer);',
  ];
  return { text: lines.join('\n'), missing: [] };
}

/** These calls take everything in one object. */
const ONE_OBJECT = new Set(['extract', 'agent', 'browser']);

function jsArguments(request: SnippetRequest): string[] {
  const { operation, body, fileName = DEFAULT_FILE } = request;
  if (ONE_OBJECT.has(operation)) return [jsLiteral(body)];
  const { value, options } = withoutMain(request);
  const name = jsLiteral(fileName);
  const first = operation === 'parse' ? `{ data: await readFile(${name}), filename: ${name} }` : jsLiteral(value ?? '');
  return Object.keys(options).length === 0 ? [first] : [first, jsLiteral(options)];
}

const INDENT = '  ';
const SHORT = 60;

/** A value of JSON as it is written in JavaScript. */
export function jsLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return jsText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + INDENT;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((entry) => jsLiteral(entry, inner))
    : Object.entries(value).map(([name, member]) => `${jsName(name)}: ${jsLiteral(member, inner)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', parts.length === 0 ? '' : ' '];
  const oneLine = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (oneLine.length <= SHORT && !oneLine.includes('\n')) return oneLine;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** In single quotation marks, as people write it. */
const jsText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function jsName(name: string): string {
  // Written as a plain name, it would set the prototype.
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsText(name);
}
