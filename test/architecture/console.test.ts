// The rules of the house, held against web/console.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as own from './console-rules.ts';
import * as rules from './rules.ts';
import { parseSource } from './source.ts';
import * as wordRules from './word-rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = globSync('web/console/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['web/console/built/**'] })
  .sort()
  .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));

const holds = (name: string, rule: rules.Rule) => test(`console: ${name}`, () => assert.deepEqual(rule(files), []));

test('console: there are files to hold the rules against', () => assert.ok(files.length > 30));
holds('no import cycle, type imports counted', rules.noCycles);
holds('no file re-exports another', rules.noReexports);
holds('no file is longer than 300 lines', rules.filesAreShort);
holds('every file opens with a line on its purpose', rules.filesSayTheirPurpose);
holds('a folder has few files', rules.foldersAreSmall);
holds('names of exported types are unique', wordRules.typeNamesAreUnique);
holds('no comment begins with "Of"', wordRules.commentsDoNotBeginWithOf);
holds('only types and pure code come from the service', own.onlyTypesAndPureCodeComeFromTheService);
holds('pages do not import each other', own.pagesDoNotImportEachOther);
holds('only the renderer of Markdown makes elements of texts', own.onlyTheRendererMakesElements);
holds('frames with page content are sandboxed', own.framesOfContentAreSandboxed);
holds('only api connects', own.onlyApiConnects);
