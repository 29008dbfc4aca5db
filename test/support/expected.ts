// Cases with a committed `expected.md`: a folder each, listed in VERIFIED.md beside them with how it was verified.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Cases whose name contains this are updated: `npm test -- --update NAME`. */
const UPDATE = process.env.TRAWL_TEST_UPDATE;

export interface ExpectedCase {
  name: string;
  folder: string;
  /** File name of the input. */
  source: string;
}

export function readCases(root: string): ExpectedCase[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => {
      const folder = join(root, name);
      const source = readdirSync(folder).find((file) => file.startsWith('source.'));
      assert.ok(source, `${folder} has no file source.*`);
      return { name, folder, source };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Ignores line breaks at the end. */
export function assertExpected(folder: string, markdown: string): void {
  const file = join(folder, 'expected.md');
  const name = basename(folder);
  if (UPDATE && name.includes(UPDATE)) writeFileSync(file, `${markdown.trimEnd()}\n`);
  assert.ok(
    existsSync(file),
    `${file} is missing. Write what a careful reader would make of the source, or let ` +
      `\`npm test -- --update ${name}\` write the current output and correct it by hand. ` +
      'Then add the case to VERIFIED.md.',
  );
  assert.equal(markdown.trimEnd(), readFileSync(file, 'utf8').trimEnd());
}

/** Every case is listed in VERIFIED.md exactly once, under the heading that says how it was verified. */
export function assertVerified(root: string): void {
  const file = join(root, 'VERIFIED.md');
  const listed = [...readFileSync(file, 'utf8').matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name!);
  const cases = readCases(root).map(({ name }) => name);
  assert.deepEqual(
    listed.toSorted(),
    cases.toSorted(),
    `${file} must list each case once, as "- \`name\`", below a heading that says how its expected.md was verified.`,
  );
}
