// The list of MCP servers in the settings of an assistant. Everything else in the file stays as it is.
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomToken } from '../../util/ids.ts';
import { UsageError } from '../usage-error.ts';
import type { Assistant } from './assistants.ts';

export interface ServerList {
  /** The entry that is there under our name. */
  readonly entry: unknown;
  /** Writes the file with this entry; without one, if undefined. */
  write(entry: object | undefined): void;
}

export const ENTRY_NAME = 'trawl';
const OWNER_ONLY = 0o600;
const hasKey = (entry: object | undefined): boolean => JSON.stringify(entry ?? {}).includes('TRAWL_API_KEY');
const PERMISSIONS = 0o777;
const NAME_BYTES = 6;
const DEFAULT_INDENT = 2;

type Settings = Record<string, unknown>;

export function openServerList({ file, list, title }: Assistant): ServerList {
  const text = readText(file);
  const settings = parse(text, file, title);
  const servers = settings[list] ?? {};
  if (!isObject(servers)) throw new UsageError(`\`${list}\` in ${file} is not an object. ${byHand(title)}`);
  return {
    entry: Object.hasOwn(servers, ENTRY_NAME) ? servers[ENTRY_NAME] : undefined,
    write(entry) {
      const { [ENTRY_NAME]: _, ...others } = servers;
      const changed = { ...settings, [list]: { ...others, ...(entry && { [ENTRY_NAME]: entry }) } };
      replace(file, `${JSON.stringify(changed, null, indentOf(text))}\n`, hasKey(entry) ? OWNER_ONLY : PERMISSIONS);
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
}

function parse(text: string, file: string, title: string): Settings {
  if (text.trim() === '') return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (isObject(settings)) return settings;
  } catch {
    // Said below.
  }
  throw new UsageError(`${file} is not plain JSON; it may have comments. ${byHand(title)}`);
}

const byHand = (title: string): string =>
  `Nothing was changed. Add the server to ${title} by hand: \`trawl mcp install --dry-run\` prints the entry.`;

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const indentOf = (text: string): string | number => /^[{]\s*\n([ \t]+)/.exec(text)?.[1] ?? DEFAULT_INDENT;

/** It is complete at any time, and at least as private as before. A link stays one. */
function replace(path: string, text: string, permissions: number): void {
  let part = '';
  try {
    mkdirSync(dirname(path), { recursive: true });
    const known = statSync(path, { throwIfNoEntry: false });
    const file = known ? realpathSync(path) : path;
    part = `${file}.${randomToken(NAME_BYTES)}`;
    writeFileSync(part, text, { flag: 'wx', mode: OWNER_ONLY });
    if (known) chmodSync(part, known.mode & permissions);
    renameSync(part, file);
  } catch (error) {
    if (part !== '') rmSync(part, { force: true });
    throw new UsageError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Nothing was changed.`);
  }
}
