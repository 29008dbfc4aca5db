// Generates the tables of the documentation from the code.
import { SETTINGS } from '../../src/config/settings.ts';
import { ERROR_TABLE } from '../../src/contracts/errors/errors.ts';
import { formatsWhere } from '../../src/contracts/formats/format-traits.ts';
import { METRICS } from '../../src/contracts/operator/metrics.ts';
import { PLANNED_ROUTES } from '../../src/contracts/planned-routes.ts';
import { QUERY_TABLES } from '../../src/contracts/query/query-tables.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { formatNeedsBrowser, IGNORED_OPTIONS, NEED_BROWSER } from '../../src/contracts/scrape/capabilities.ts';
import { markdownTable } from '../../src/markup/markdown-table.ts';
import { PROMPTS } from '../../src/mcp/prompts/prompts.ts';
import { RESOURCES } from '../../src/mcp/resources/resources.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import type { Metric } from '../../src/runtime/metrics.ts';
import type { Provider } from '../../src/search/providers/provider.ts';
import { PROVIDER_NEEDS, type ProviderName } from '../../src/search/providers/provider-names.ts';
import { PROVIDERS } from '../../src/search/providers/registry.ts';
import { listDecisions } from './decisions.ts';
import { listDialects, listPrograms } from './programs.ts';

const NEEDS = { key: 'a key', url: 'an address', nothing: 'nothing' };
/** A search reads at most this many pages of one provider. */
const MAX_PAGES = 5;

const table = (head: string[], rows: string[][]): string => markdownTable([head, ...rows]);

const code = (text: string): string => `\`${text}\``;

const routes = Object.values(ROUTES) as Route[];

function needsText({ name, needs }: Provider): string {
  const { key, web } = PROVIDER_NEEDS[name as ProviderName];
  const isFallback = web === 'fallback' ? '; asked while no other provider for the whole web is set up' : '';
  return `${NEEDS[needs]}${needs === 'nothing' && key === 'possible' ? ' (a key raises its limits)' : ''}${isFallback}`;
}

const givesText = ({ sources, onlyFor }: Provider): string =>
  onlyFor ? `${sources.join(', ')}, for the category ${onlyFor.join(', ')}` : sources.join(', ');

function filtersText({ sources, capabilities }: Provider): string {
  const { clauses, time, domains } = capabilities(sources[0]!);
  const operators = clauses.filter((kind) => kind !== 'word').map((kind) => (kind === 'phrase' ? '"..."' : kind));
  const times = { none: [], presets: ['time (presets)'], range: ['time'] }[time];
  return [...operators, ...times, ...(domains ? ['domains'] : [])].join(', ') || 'nothing';
}

function resultsText({ sources, capabilities, everyMs }: Provider): string {
  const { maxCount, maxPages } = capabilities(sources[0]!);
  const pages = Math.min(maxPages, MAX_PAGES);
  const total = pages === 1 ? String(maxCount) : `${maxCount} a request, ${pages} requests`;
  return everyMs === undefined ? total : `${total}; one request every ${everyMs / 1000} s`;
}

/** Labels with many values name a table of their own instead of listing them. */
const LONG_LABELS: Record<string, string> = {
  operation: 'name of the call in the OpenAPI file',
  code: 'code of the error',
  rule: 'see the text',
};

const labelText = ([name, values]: [string, readonly string[]]): string =>
  `${code(name)}: ${LONG_LABELS[name] ?? values.join(', ')}`;

function effectText({ annotations: { readOnlyHint, destructiveHint } }: Tool): string {
  if (readOnlyHint) return 'reads';
  return destructiveHint ? 'changes' : 'adds';
}

export const TABLES: Record<string, () => string> = {
  decisions: listDecisions,
  programs: listPrograms,
  dialects: listDialects,
  settings: () =>
    table(
      ['Setting', 'Default', 'What it does'],
      Object.values(SETTINGS).map(({ env, shown, doc }) => [code(env), shown, doc]),
    ),
  errors: () =>
    table(
      ['Code', 'Status', 'What it says'],
      Object.entries(ERROR_TABLE).map(([name, { status, text }]) => [code(name), String(status), text]),
    ),
  routes: () =>
    table(
      ['Call', 'What it does', 'Key'],
      routes.map(({ method, path, summary, open, operator, watch }) => [
        code(`${method} ${path}`),
        watch ? `${summary}; also as a WebSocket` : summary,
        operator ? 'of the operator' : open ? 'no' : 'yes',
      ]),
    ),
  queryTables: () =>
    table(
      ['Table', 'Column', 'Type', 'What it is'],
      Object.entries(QUERY_TABLES).flatMap(([name, { comment, columns }]) => [
        [code(name), '', '', comment],
        ...Object.entries(columns).map(([column, { type, comment: meaning, format, isEmbedded }]) => [
          ...['', `${code(column)}${isEmbedded ? ' *' : ''}`, type],
          format ? `${meaning} (format ${code(format)})` : meaning,
        ]),
      ]),
    ),
  metrics: () =>
    table(
      ['Metric', 'Type', 'What it measures', 'Labels'],
      Object.entries<Metric>(METRICS).map(([name, { type, help, labels = {} }]) => [
        code(name),
        type,
        help,
        Object.entries(labels).map(labelText).join('; '),
      ]),
    ),
  planned: () =>
    table(
      ['Call', 'What the answer says about it'],
      PLANNED_ROUTES.map(({ route, reason }) => [code(route), reason]),
    ),
  providers: () =>
    table(
      ['Name', 'Provider', 'Needs', 'Gives', 'Filters itself', 'Results'],
      PROVIDERS.map((provider) => [
        code(provider.name),
        provider.label,
        needsText(provider),
        givesText(provider),
        filtersText(provider),
        resultsText(provider),
      ]),
    ),
  unserved: () =>
    table(
      ['Format or option', 'Answer', 'Why'],
      [
        ...formatsWhere(({ isShown }) => isShown === true).map((type) => [
          code(type),
          'without a browser left out with a warning; alone 400',
          formatNeedsBrowser(type),
        ]),
        ...Object.entries(NEED_BROWSER).map(([name, why]) => [code(name), '400 without a browser', why]),
        ...Object.entries(IGNORED_OPTIONS).map(([name, why]) => [code(name), '200 with a warning', why]),
      ],
    ),
  mcpTools: () =>
    table(
      ['Tool', 'What it does', 'Effect'],
      TOOLS.map((tool) => [code(tool.name), tool.description.replaceAll('\n', ' '), effectText(tool)]),
    ),
  mcpResources: () =>
    table(
      ['URI', 'What it is'],
      RESOURCES.map(({ template, description }) => [code(template), description]),
    ),
  mcpPrompts: () =>
    table(
      ['Prompt', 'What it does', 'Arguments'],
      PROMPTS.map(({ name, description, arguments: list }) => [
        code(name),
        description,
        list.map((each) => `${code(each.name)}${each.required ? '' : ' (optional)'}`).join(', '),
      ]),
    ),
};
