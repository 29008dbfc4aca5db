// The call with the official Python SDK, which works with this server by its address.
import type { Body } from '../run/recent.ts';
import { PYTHON_ARGUMENTS, PYTHON_PAGE_OPTIONS } from './python-arguments.ts';
import { DEFAULT_FILE, type Snippet, type SnippetRequest } from './snippet.ts';

export function pythonSnippet(request: SnippetRequest): Snippet {
  const { operation, body, baseUrl, isOpen, fileName = DEFAULT_FILE } = request;
  const missing: string[] = [];
  const options = known(body, PYTHON_ARGUMENTS[operation]!, '', missing);
  const args =
    operation === 'parse'
      ? [pythonLiteral(fileName), ...(options.length === 0 ? [] : [`options=${objectOf('ParseOptions', options)}`])]
      : positional(request, options);
  const call = `answer = firecrawl.${operation}(${joined(args)})`;
  const imported = ['ScrapeOptions', 'ParseOptions'].filter((name) => call.includes(`${name}(`));
  const lines = [
    ...(isOpen ? [] : ['import os']),
    'from firecrawl import Firecrawl',
    ...(imported.length === 0 ? [] : [`from firecrawl.v2.types import ${imported.join(', ')}`]),
    '',
    `firecrawl = Firecrawl(api_key=${isOpen ? '"none"' : 'os.environ["TRAWL_API_KEY"]'}, api_url=${pythonLiteral(baseUrl)})`,
    call,
    'print(answer)',
  ];
  return { text: lines.join('\n'), missing };
}

/** The URL, the query or the list of URLs stands first, without a name. */
function positional({ operation, main, body }: SnippetRequest, options: readonly string[]): string[] {
  const first = operation === 'agent' || main === undefined || body[main] === undefined ? undefined : `${snake(main)}=`;
  return options
    .toSorted((a, b) => Number(b.startsWith(first ?? '\n')) - Number(a.startsWith(first ?? '\n')))
    .map((option, index) => (index === 0 && first !== undefined ? option.slice(first.length) : option));
}

function known(body: Body, names: readonly string[], path: string, missing: string[]): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (!names.includes(name)) {
      missing.push(path + name);
      return [];
    }
    if (name !== 'scrapeOptions') return [`${snake(name)}=${pythonLiteral(value)}`];
    const inner = known(value as Body, PYTHON_PAGE_OPTIONS, 'scrapeOptions.', missing);
    return inner.length === 0 ? [] : [`scrape_options=${objectOf('ScrapeOptions', inner)}`];
  });
}

const objectOf = (name: string, args: readonly string[]): string => `${name}(${args.join(', ')})`;

const SHORT = 60;

function joined(args: readonly string[]): string {
  const oneLine = args.join(', ');
  return oneLine.length <= SHORT && !oneLine.includes('\n')
    ? oneLine
    : `\n${args.map((arg) => `    ${arg},\n`).join('')}`;
}

/** strictConstrainToURLs is strict_constrain_to_urls. */
const snake = (name: string): string =>
  name
    .replaceAll('URLs', 'Urls')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** A value of JSON as it is written in Python. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${pythonText(name)}: ${pythonLiteral(member)}`);
  return `{${members.join(', ')}}`;
}

/** JSON and Python escape alike, but JSON writes characters beyond the first 65,536 as two halves if they are escaped. */
const pythonText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\x7f');
