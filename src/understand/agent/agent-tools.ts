// The tools that an agent's model may call: what it is told about them, and how their inputs are read. Models make mistakes,
// so that a wrong input becomes a sentence for the model and never an error.
import type { ModelTool } from '../../models/language-model.ts';
import { parseWritten } from '../../util/json/json-size.ts';

export interface ClaimedSource {
  /** Path of the value in the data: `products[0].price`. */
  path: string;
  url: string;
  quote: string;
}

export interface Suggestion {
  label: string;
  prompt: string;
}

export interface RecordInput {
  data: Record<string, unknown>;
  sources: ClaimedSource[];
  replace: boolean;
}

export interface PageTask {
  url: string;
  instruction: string;
}

export interface FinishInput {
  data?: Record<string, unknown>;
  sources: ClaimedSource[];
  message?: string;
  suggestions: Suggestion[];
}

export type AgentCall =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search?: string } }
  | { tool: 'scrape'; input: { url: string; offset: number } }
  | { tool: 'find_in_page'; input: { url: string; query: string } }
  | { tool: 'use_page'; input: PageTask }
  | { tool: 'record'; input: RecordInput }
  | { tool: 'finish'; input: FinishInput };
export type AgentToolName = AgentCall['tool'];

type Fields = Record<string, unknown>;

const text = (description: string) => ({ type: 'string', description });
const DATA = { type: 'object', description: 'The data, as <schema> describes it. A list goes into the field `items`.' };
const SOURCES = {
  type: 'array',
  description: 'Where each value stands: its path in the data, the page, and a passage copied from that page.',
  items: {
    type: 'object',
    properties: { path: text('e.g. products[0].price'), url: text('The page.'), quote: text('Copied exactly.') },
    required: ['path', 'url', 'quote'],
  },
};

const TOOLS: readonly ModelTool[] = [
  tool('search', 'Searches the web. Returns URLs with titles and descriptions.', { query: text('A few words.') }),
  tool(
    'map',
    'Lists pages of a website.',
    { url: text('Its start page or a folder of it.'), search: text('Words that come first.') },
    ['url'],
  ),
  tool(
    'scrape',
    'Reads a page as Markdown, one piece at a time.',
    { url: text('A URL of the task, of a result or of a link on a page.'), offset: { type: 'integer' } },
    ['url'],
  ),
  tool('find_in_page', 'Finds passages of a page by words. For long pages.', {
    url: text('A page that was read.'),
    query: text('What to find.'),
  }),
  tool('use_page', 'Uses a page in a browser: fills in a form, clicks, chooses. Returns what the page then shows.', {
    url: text('A page of a site that the request names.'),
    instruction: text('What to do there, and what to look for, with everything that is to be typed.'),
  }),
  tool(
    'record',
    'Adds what was found to the result: fields are set, lists get new entries.',
    { data: DATA, sources: SOURCES, replace: { type: 'boolean', description: 'The data replaces the result.' } },
    ['data'],
  ),
  tool(
    'finish',
    'Ends the work. The result is what was recorded, with this data added.',
    {
      data: DATA,
      sources: SOURCES,
      message: text('The answer in words.'),
      suggestions: {
        type: 'array',
        description: 'Up to three follow-up requests.',
        items: { type: 'object', properties: { label: text('Short.'), prompt: text('The request.') } },
      },
    },
    [],
  ),
];

function tool(
  name: AgentToolName,
  description: string,
  properties: Record<string, object>,
  required: readonly string[] = Object.keys(properties),
): ModelTool {
  return { name, description, input: { type: 'object', properties, required } };
}

const LAST: ReadonlySet<string> = new Set<AgentToolName>(['record', 'finish']);

export interface OfferedTools {
  /** Without it, nothing outside of the given URLs can be found. */
  hasSearch: boolean;
  canUsePages: boolean;
}

/** In the end, only the result can be written. */
export const toolsFor = ({ hasSearch, canUsePages, isEnding }: OfferedTools & { isEnding: boolean }): ModelTool[] =>
  TOOLS.filter(({ name }) =>
    isEnding ? LAST.has(name) : (hasSearch || name !== 'search') && (canUsePages || name !== 'use_page'),
  );

const MAX_INPUT = 200_000;
const MAX_URL = 4_000;
const MAX_QUERY = 400;
const MAX_INSTRUCTION = 4_000;
const MAX_SOURCES = 500;
const MAX_MESSAGE = 50_000;

/** `problem` is a sentence for the model. */
export function readCall(
  { name, input }: { name: string; input: unknown },
  offered: readonly ModelTool[],
): AgentCall | { problem: string } {
  const definition = offered.find((each) => each.name === name);
  if (!definition) {
    const names = offered.map((each) => each.name).join(', ');
    return { problem: `There is no tool with this name now. The tools are: ${names}.` };
  }
  const given = typeof input === 'string' ? parseWritten(input)?.value : input;
  if (!isFields(given)) return { problem: `The input of ${definition.name} must be a JSON object.` };
  if (JSON.stringify(given).length > MAX_INPUT) {
    return { problem: `The input of ${definition.name} is too large. Send at most ${MAX_INPUT} characters at once.` };
  }
  const reader = createReader(given);
  const call = READERS[definition.name as AgentToolName](reader);
  return reader.problem === undefined ? call : { problem: `${definition.name}: ${reader.problem}` };
}

const READERS: Readonly<Record<AgentToolName, (reader: Reader) => AgentCall>> = {
  search: ({ text: read }) => ({ tool: 'search', input: { query: read('query', MAX_QUERY) } }),
  map: ({ text: read, given }) => ({
    tool: 'map',
    input: { url: read('url', MAX_URL), ...(isSet(given.search) && { search: read('search', MAX_QUERY) }) },
  }),
  scrape: ({ text: read, offset }) => ({ tool: 'scrape', input: { url: read('url', MAX_URL), offset: offset() } }),
  find_in_page: ({ text: read }) => ({
    tool: 'find_in_page',
    input: { url: read('url', MAX_URL), query: read('query', MAX_QUERY) },
  }),
  use_page: ({ text: read }) => ({
    tool: 'use_page',
    input: { url: read('url', MAX_URL), instruction: read('instruction', MAX_INSTRUCTION) },
  }),
  record: ({ data, given }) => ({
    tool: 'record',
    input: { data: data(), sources: sourcesOf(given), replace: given.replace === true },
  }),
  finish: ({ data, given }) => ({
    tool: 'finish',
    input: {
      ...(isSet(given.data) && { data: data() }),
      sources: sourcesOf(given),
      ...(typeof given.message === 'string' && { message: given.message.slice(0, MAX_MESSAGE).trim() }),
      suggestions: suggestionsOf(given),
    },
  }),
};

interface Reader {
  given: Fields;
  /** The first thing that is wrong. What was read is then not used. */
  readonly problem: string | undefined;
  text(name: string, max: number): string;
  offset(): number;
  data(): Fields;
}

function createReader(given: Fields): Reader {
  let problem: string | undefined;
  return {
    given,
    get problem() {
      return problem;
    },
    text(name, max) {
      const value = given[name];
      const isText = typeof value === 'string' && value.trim() !== '';
      if (!isText) problem ??= `\`${name}\` must be a text.`;
      else if (value.length > max) problem ??= `\`${name}\` may have ${max} characters.`;
      return isText ? value.trim() : '';
    },
    offset() {
      // Small models write numbers as texts.
      const value = isSet(given.offset) ? Number(given.offset) : 0;
      if (!Number.isSafeInteger(value) || value < 0) problem ??= '`offset` must be a whole number, 0 or more.';
      return value;
    },
    data() {
      const value = typeof given.data === 'string' ? parseWritten(given.data)?.value : given.data;
      if (Array.isArray(value)) return { items: value };
      if (isFields(value)) return value;
      problem ??= '`data` must be a JSON object.';
      return {};
    },
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function sourcesOf({ sources }: Fields): ClaimedSource[] {
  const list = Array.isArray(sources) ? sources : [];
  return list
    .slice(0, MAX_SOURCES)
    .filter(isFields)
    .flatMap(({ path, url, quote }) =>
      typeof path === 'string' && typeof url === 'string' && typeof quote === 'string' ? [{ path, url, quote }] : [],
    );
}

const MAX_SUGGESTIONS = 3;

const suggestionsOf = ({ suggestions }: Fields): Suggestion[] =>
  (Array.isArray(suggestions) ? suggestions : [])
    .filter(isFields)
    .flatMap(({ label, prompt }) =>
      typeof prompt === 'string' && prompt.trim() !== ''
        ? [
            {
              label: (typeof label === 'string' && label.trim() ? label : prompt).slice(0, 100),
              prompt: prompt.slice(0, 1_000),
            },
          ]
        : [],
    )
    .slice(0, MAX_SUGGESTIONS);
