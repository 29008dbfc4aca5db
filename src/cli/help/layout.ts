// Lines of help: two columns, and a width that every terminal has.
import type { ResolvedFlag } from '../parse/resolved-flag.ts';

export const WIDTH = 80;
const INDENT = '  ';
const GAP = 2;
const MAX_FIRST = 30;

export type HelpRow = readonly [name: string, text: string];

/** One line each; what does not fit is cut at a word. */
export function cutRows(rows: readonly HelpRow[]): string[] {
  const first = firstWidth(rows);
  return rows.map(([name, text]) => {
    const start = `${INDENT}${name.padEnd(first)}${' '.repeat(GAP)}`;
    return `${start}${cut(text, WIDTH - start.length)}`.trimEnd();
  });
}

/** As many lines as the texts need. */
export function wrappedRows(rows: readonly HelpRow[]): string[] {
  const first = firstWidth(rows);
  const margin = INDENT.length + first + GAP;
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, WIDTH - margin);
    const start = `${INDENT}${name.padEnd(first)}`;
    if (name.length > first) return [start, ...lines.map((line) => `${' '.repeat(margin)}${line}`)];
    return [
      `${start}${' '.repeat(GAP)}${lines[0] ?? ''}`.trimEnd(),
      ...lines.slice(1).map((line) => `${' '.repeat(margin)}${line}`),
    ];
  });
}

const firstWidth = (rows: readonly HelpRow[]): number =>
  Math.min(MAX_FIRST, Math.max(0, ...rows.map(([name]) => name.length)));

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const [first = ''] = wrap(text, Math.max(1, width - 2));
  return `${first.slice(0, width - 2)} …`;
}

const VALUES: Readonly<Record<ResolvedFlag['type'], string>> = {
  boolean: '',
  string: 'TEXT',
  number: 'N',
  list: 'LIST',
  json: 'JSON',
};

/** `-o, --output FILE`, `--[no-]mobile` */
export function flagName({ name, short, type, value, isSwitch, path }: ResolvedFlag): string {
  const canBeTurnedOff = isSwitch && path !== undefined;
  const word = value ?? VALUES[type];
  const shown = canBeTurnedOff && type === 'boolean' ? `--[no-]${name}` : `--${name}`;
  return `${short ? `-${short}, ` : ''}${shown}${word === '' ? '' : isSwitch ? `[=${word}]` : ` ${word}`}`;
}

/** In one line, the values say more than the text. */
export const shortText = ({ text, choices }: ResolvedFlag): string => choices?.join(', ') ?? text;

export const flagText = ({ text, choices }: ResolvedFlag): string =>
  choices ? `${text}${text === '' ? '' : ' '}(${choices.join(', ')})` : text;
