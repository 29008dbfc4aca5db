// A call of the interface, described once: sent as it is, and shown as the curl command that does the same.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const MAX_BODY_WIDTH = 86;

export interface Call {
  method?: 'GET' | 'POST';
  path: string;
  body?: object;
  /** Path of a file to upload. */
  file?: string;
}

export interface Answer {
  status: number;
  ms: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tour looks into answers of every route, and checks what it uses.
  body: any;
}

export function asCurl(base: string, { path, body, file }: Call): string {
  const lines = [`curl -s ${base}${path}`, '  -H "Authorization: Bearer $KEY"'];
  if (body) lines.push("  -H 'Content-Type: application/json'", `  -d '${inLines(body)}'`);
  if (file) lines.push(`  -F file=@${file}`);
  return lines.join(' \\\n');
}

export async function send(base: string, key: string, call: Call, signal: AbortSignal): Promise<Answer> {
  const { body, file, method = body || file ? 'POST' : 'GET' } = call;
  const headers = new Headers({ authorization: `Bearer ${key}` });
  if (body) headers.set('content-type', 'application/json');
  const began = performance.now();
  const payload = file ? await fileForm(file) : body && JSON.stringify(body);
  const response = await fetch(base + call.path, { method, headers, body: payload, signal });
  return { status: response.status, body: await response.json(), ms: performance.now() - began };
}

async function fileForm(path: string): Promise<FormData> {
  const form = new FormData();
  form.set('file', new Blob([await readFile(path)]), basename(path));
  return form;
}

/** On one line, or one a field if that is too long. */
function inLines(body: object): string {
  const line = spaced(body);
  if (line.length <= MAX_BODY_WIDTH) return line;
  const fields = Object.entries(body).map(([name, value]) => spaced({ [name]: value }).slice(1, -1));
  return `{${fields.join(',\n       ')}}`;
}

/** JSON on one line, with a space after each colon and comma, as people type it. */
const spaced = (body: object): string =>
  JSON.stringify(body, undefined, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1');
