// JSON for people who read its changes: what fits in a line is one line.
const WIDTH = 160;

export const jsonText = (value: object): string => `${textOf(value, '', 0)}\n`;

/** `used` is what stands before the value in its line, after the indent. */
function textOf(value: unknown, indent: string, used: number): string {
  const short = inOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + used + short.length < WIDTH) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((each) => textOf(each, inner, 0))
    : entriesOf(value).map(([key, each]) => {
        const name = `${JSON.stringify(key)}: `;
        return name + textOf(each, inner, name.length);
      });
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${inOneLine(each)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}

const entriesOf = (value: object) => Object.entries(value).filter(([, each]) => each !== undefined);
