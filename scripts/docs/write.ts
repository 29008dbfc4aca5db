// Updates what is generated: the two OpenAPI files, each table of docs/ between its two markers, the dashboard and the notices.
// With --check it changes nothing and fails if something is out of date.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboard } from './dashboard.ts';
import { buildDialectsOpenApi } from './dialects-openapi.ts';
import { jsonText } from './json-text.ts';
import { buildNotices } from './notices.ts';
import { buildOpenApi } from './openapi.ts';
import { TABLES } from './tables.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

const fill = (text: string): string =>
  text.replaceAll(/(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_whole, start, name, end) => {
    const make = TABLES[name];
    if (!make) throw new Error(`There is no table ${name}.`);
    return `${start}\n${make()}\n\n${end}`;
  });

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const wanted = new Map<string, string>([
  ['openapi.json', jsonText(await buildOpenApi())],
  ['openapi-dialects.json', jsonText(await buildDialectsOpenApi())],
  ['../deploy/grafana-dashboard.json', json(buildDashboard())],
  ['../THIRD-PARTY-NOTICES.txt', buildNotices()],
]);
for (const file of globSync('*/*.md', { cwd: docs })) wanted.set(file, fill(readFileSync(join(docs, file), 'utf8')));

const stale = [...wanted].filter(([file, text]) => readOrNothing(join(docs, file)) !== text);
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`docs/${file} is out of date. Run npm run docs.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of stale) writeFileSync(join(docs, file), text);
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
