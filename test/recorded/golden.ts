// A golden file: blocks of a name and a JSON value, sorted by name. `TRAWL_RECORD=1 node scripts/test.ts test/recorded` writes
// them anew; otherwise what is found is compared with them, and each difference is told with the path of its value.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Recorded = ReadonlyMap<string, unknown>;

const isRecording = process.env.TRAWL_RECORD === '1';
const HOW = 'TRAWL_RECORD=1 node scripts/test.ts test/recorded';
const HEADING = '### ';
const WIDTH = 160;
/** Line width for lists and objects that contain no lists and objects. */
const FLAT_WIDTH = 240;
const MAX_SHOWN = 40;
const MAX_VALUE = 300;

/** `name` is the file beside this one, without its ending. */
export function compareWithGolden(name: string, found: Recorded): void {
  const file = join(import.meta.dirname, `${name}.golden`);
  if (isRecording) writeFileSync(file, write(found));
  const differences = differencesOf(read(file), found);
  if (differences.length === 0) return;
  const more = differences.length > MAX_SHOWN ? [`... and ${differences.length - MAX_SHOWN} more.`] : [];
  const shown = [...differences.slice(0, MAX_SHOWN), ...more].join('\n');
  const count = differences.length === 1 ? 'A difference' : `${differences.length} differences`;
  assert.fail(`${count} from test/recorded/${name}.golden. If they are wanted: ${HOW}\n${shown}`);
}

export function write(recorded: Recorded): string {
  const names = [...recorded.keys()].toSorted();
  return names.map((name) => `${HEADING}${name}\n${print(sorted(recorded.get(name)))}\n`).join('');
}

function read(file: string): Recorded {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`${file} is missing. Write it: ${HOW}`);
  }
  const blocks = `\n${text}`.split(`\n${HEADING}`).slice(1);
  return new Map(
    blocks.map((block) => {
      const end = block.indexOf('\n');
      return [block.slice(0, end), JSON.parse(block.slice(end))];
    }),
  );
}

/** For each value that differs: the block, its path, and the value before and after. */
export function differencesOf(before: Recorded, after: Recorded): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    if (!before.has(name)) return [`${name}\n    is not recorded`];
    if (!after.has(name)) return [`${name}\n    is recorded, but no longer there`];
    const [old, now] = [leavesOf(before.get(name)), leavesOf(after.get(name))];
    const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
    return paths.map(
      (path) => `${name}  ${path}\n    before: ${cut(old.get(path))}\n    after:  ${cut(now.get(path))}`,
    );
  });
}

const cut = (text = '(absent)'): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text);

/** Path to JSON of each value that has no parts. */
function leavesOf(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (value === undefined) return into;
  if (parts.length === 0) return into.set(path, JSON.stringify(value));
  for (const [key, part] of parts) leavesOf(part, path === '' ? key : `${path}.${key}`, into);
  return into;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]));
}

/** JSON in as few lines as fit. */
function print(value: unknown, indent = '', taken = 0): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return short;
  const isFlat = Object.values(value).every((part) => typeof part !== 'object' || part === null);
  if (indent.length + taken + short.length <= (isFlat ? FLAT_WIDTH : WIDTH)) return short;
  const inner = `${indent}  `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((part) => print(part, inner))]
    : ['{', '}', Object.entries(value).map(([key, part]) => entry(key, part, inner))];
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

function entry(key: string, value: unknown, indent: string): string {
  const name = `${JSON.stringify(key)}: `;
  return name + print(value, indent, name.length);
}
