// Generates the tables of the documentation from the code.
import { SETTINGS } from '../../src/config/settings.ts';
import {
  IGNORED_OPTIONS,
  NEED_BROWSER,
  REFUSED_OPTIONS,
  UNSUPPORTED_FORMATS,
} from '../../src/contracts/capabilities.ts';
import { ERROR_TABLE } from '../../src/contracts/errors.ts';
import { PLANNED_ROUTES } from '../../src/contracts/planned-routes.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { PROVIDERS } from '../../src/search/providers/registry.ts';

const NEEDS = { key: 'a key', url: 'an address', nothing: 'nothing' };

const row = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: string[], rows: string[][]): string => [head, head.map(() => '---'), ...rows].map(row).join('\n');

const code = (text: string): string => `\`${text}\``;

const routes = Object.values(ROUTES) as Route[];

export const TABLES: Record<string, () => string> = {
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
      routes.map(({ method, path, summary, open, watch }) => [
        code(`${method} ${path}`),
        watch ? `${summary}; also as a WebSocket` : summary,
        open ? 'no' : 'yes',
      ]),
    ),
  planned: () =>
    table(
      ['Call', 'What the answer says about it'],
      PLANNED_ROUTES.map(({ route, reason }) => [code(route), reason]),
    ),
  providers: () =>
    table(
      ['Name', 'Provider', 'Needs', 'Gives'],
      PROVIDERS.map(({ name, label, needs, sources, onlyFor, isOptIn }) => [
        code(name),
        label,
        isOptIn ? `${NEEDS[needs]}; asked only when TRAWL_SEARCH_PROVIDERS names it` : NEEDS[needs],
        onlyFor ? `${sources.join(', ')}, for the category ${onlyFor.join(', ')}` : sources.join(', '),
      ]),
    ),
  unserved: () =>
    table(
      ['Format or option', 'Answer', 'Why'],
      [
        ...Object.entries(UNSUPPORTED_FORMATS).map(([name, why]) => [`format ${code(name)}`, '400', why]),
        ...Object.entries(REFUSED_OPTIONS).map(([name, why]) => [code(name), '400', why]),
        ...Object.entries(NEED_BROWSER).map(([name, why]) => [code(name), '400 without a browser', why]),
        ...Object.entries(IGNORED_OPTIONS).map(([name, why]) => [code(name), '200 with a warning', why]),
      ],
    ),
};
