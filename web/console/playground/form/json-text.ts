// Text that a person writes as JSON, and what is wrong with it in words.

export type JsonText = { value: unknown } | { problem: string };

export function readJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: problemOf(text, error as Error) };
  }
}

/** A body is always an object. An empty text is an empty body. */
export function readBody(text: string): { body: Readonly<Record<string, unknown>> } | { problem: string } {
  if (text.trim() === '') return { body: {} };
  const read = readJson(text);
  if ('problem' in read) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'The request must be a JSON object: begin with { and end with }.' };
  }
  return { body: value as Record<string, unknown> };
}

export const writeJson = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Browsers say where the problem is in different ways; the line is what a person needs. */
function problemOf(text: string, { message }: Error): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
  if (/unexpected end|end of data/i.test(message) || position >= text.trimEnd().length) {
    return 'This is not valid JSON. It ends too early: a bracket or a quotation mark is not closed.';
  }
  const said = /line (\d+)/.exec(message)?.[1];
  const line = said ?? (Number.isNaN(position) ? undefined : text.slice(0, position).split('\n').length);
  const what = message.replace(/ (?:in JSON )?at (?:position|line).*$/s, '').replace(/^JSON\.parse: /, '');
  return `This is not valid JSON${line === undefined ? '' : ` in line ${line}`}. ${what}.`;
}
