// What the tour prints: headings, text, commands, answers and checks, for a terminal of 100 columns.
import { showJson } from './show-json.ts';

export interface Screen {
  heading(text: string): void;
  text(sentences: string): void;
  /** A command that a reader could type. */
  command(lines: string): void;
  /** The answer to the command before: status, time, and the JSON in short. */
  answer(status: string, json?: unknown): void;
  check(isRight: boolean, sentence: string): void;
  note(sentence: string): void;
  /** Names and values, in two columns. */
  table(rows: readonly (readonly [name: string, value: string | number, remark?: string])[]): void;
}

export const WIDTH = 100;
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export function createScreen(print: (line: string) => void, hasColours: boolean): Screen {
  const paint = (colour: keyof typeof CODES, text: string) =>
    hasColours ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
  let lastWasCheck = false;
  /** A blank line before each block, but not between checks. */
  const block = (lines: string[], isCheck = false) => {
    for (const line of isCheck && lastWasCheck ? lines : ['', ...lines]) print(line);
    lastWasCheck = isCheck;
  };
  return {
    heading(text) {
      block(['', `${paint('bold', text)} ${paint('dim', '─'.repeat(Math.max(0, WIDTH - text.length - 1)))}`]);
    },
    text: (sentences) => block(wrap(sentences, WIDTH)),
    command: (lines) =>
      block(lines.split('\n').map((line, index) => `  ${index === 0 ? '$ ' : '  '}${paint('cyan', line)}`)),
    answer(status, json) {
      const lines = json === undefined ? [] : showJson(json, WIDTH - 2);
      block([`  ${paint('dim', status)}`, ...lines.map((line) => `  ${line}`)]);
    },
    check(isRight, sentence) {
      const [first = '', ...more] = wrap(sentence, WIDTH - 4);
      const mark = isRight ? paint('green', '✓') : paint('red', '✗');
      block([`  ${mark} ${first}`, ...more.map((line) => `    ${line}`)], true);
    },
    note: (sentence) => block(wrap(sentence, WIDTH - 2).map((line) => `  ${paint('yellow', line)}`)),
    table(rows) {
      const width = Math.max(...rows.map(([name]) => name.length));
      block(
        rows.map(([name, value, remark = '']) =>
          `  ${name.padEnd(width)}  ${String(value).padStart(4)}  ${paint('dim', remark)}`.trimEnd(),
        ),
      );
    },
  };
}

export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1]!;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
