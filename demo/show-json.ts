// JSON as the tour shows it: long lists, long texts and the many fields of the metadata are cut, texts of several lines
// are unfolded. Every "…" stands for something that was left out.

const MAX_ITEMS = 2;
const MAX_LINES = 9;
const MAX_LINES_IN_LISTS = 3;
const METADATA = ['title', 'statusCode', 'numPages', 'quality', 'cacheState', 'creditsUsed'];

interface Room {
  width: number;
  lines: number;
}

/** Lines of at most `width` characters. */
export const showJson = (value: unknown, width: number): string[] => write(value, '', { width, lines: MAX_LINES });

function write(value: unknown, key: string, room: Room): string[] {
  if (typeof value === 'string') return writeText(value, room);
  if (Array.isArray(value)) return writeList(value, room);
  if (typeof value === 'object' && value !== null) return writeObject(value, key, room);
  return [String(JSON.stringify(value))];
}

/** One line, or an empty one and then the unfolded lines. */
function writeText(text: string, { width, lines: maxLines }: Room): string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length < 2) {
    const json = JSON.stringify(text);
    // The quote and the comma behind it.
    return [json.length < width ? json : `${cut(json.slice(0, -1), width - 2)}"`];
  }
  const shown = lines.slice(0, maxLines).map((line) => `│ ${cut(line, width - 2)}`);
  const left = lines.length - maxLines;
  return ['', ...shown, ...(left > 0 ? [`│ … ${left} more line${left > 1 ? 's' : ''}`] : [])];
}

function writeList(items: unknown[], { width }: Room): string[] {
  if (items.length === 0) return ['[]'];
  const room = { width: width - 2, lines: MAX_LINES_IN_LISTS };
  const shown = items.slice(0, MAX_ITEMS).map((item) => write(item, '', room));
  const left = items.length - MAX_ITEMS;
  return ['[', ...indent(joined(shown)), ...(left > 0 ? [`  … ${left} more`] : []), ']'];
}

function writeObject(object: object, key: string, { width, lines }: Room): string[] {
  const all = Object.entries(object);
  const entries = key === 'metadata' ? all.filter(([name]) => METADATA.includes(name)) : all;
  const shown = entries.map(([name, item]) => {
    const label = `${JSON.stringify(name)}:`;
    const isText = typeof item === 'string' && !item.includes('\n');
    const [first = '', ...more] = write(item, name, { width: width - (isText ? label.length + 3 : 4), lines });
    return first === '' ? [label, ...indent(more)] : [`${label} ${first}`, ...more];
  });
  const left = all.length - entries.length;
  return ['{', ...indent(joined(shown)), ...(left > 0 ? [`  … ${left} more field${left > 1 ? 's' : ''}`] : []), '}'];
}

/** Commas between the entries, except behind unfolded texts, which are no JSON any more. */
const joined = (entries: string[][]): string[] =>
  entries.flatMap((lines, index) => {
    const last = lines.at(-1)!;
    const isLast = index === entries.length - 1;
    return isLast || last.trimStart().startsWith('│') ? lines : [...lines.slice(0, -1), `${last},`];
  });

const indent = (lines: string[]): string[] => lines.map((line) => `  ${line}`);

const cut = (line: string, width: number): string => (line.length <= width ? line : `${line.slice(0, width - 2)} …`);
