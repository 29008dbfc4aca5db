// The rules of the house, held against src. Sizes and complexity of functions are rules of the linter (biome.json).
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as rules from './rules.ts';
import { parseSource } from './source.ts';
import * as wordRules from './word-rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.ts', { cwd: ROOT })
  .sort()
  .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));

const holds = (name: string, rule: rules.Rule) => test(name, () => assert.deepEqual(rule(files), []));

holds('every relative import names a file that exists', rules.importsExist);
holds('imports go one way, from the outer layers to the inner ones', rules.importsGoInwards);
holds('only compose chooses adapters', rules.adaptersAreChosenInCompose);
holds('no import cycle, type imports counted', rules.noCycles);
holds('threads load no validator', rules.threadsLoadNoValidator);
holds('no file re-exports another', rules.noReexports);
holds('no file is longer than 300 lines', rules.filesAreShort);
holds('every file opens with a line on its purpose', rules.filesSayTheirPurpose);
holds('a folder has few files', rules.foldersAreSmall);
holds('the face of a folder is inside it', rules.facesAreInside);
holds('only config reads the environment', rules.onlyConfigReadsTheEnvironment);
holds('only cli prints', rules.onlyCliPrints);
holds('only net touches sockets', rules.onlyNetTouchesSockets);
holds("Node's http is not imported", rules.nodeHttpIsNotImported);
holds('certificates are verified before anything is read without', rules.certificatesAreVerifiedFirst);
holds('only one file decides who may see a page', rules.onlyPageOwnerMakesViewers);
holds('names of exported types are unique', wordRules.typeNamesAreUnique);
holds('no comment begins with "Of"', wordRules.commentsDoNotBeginWithOf);
holds('no module keeps variables', rules.noModuleVariables);
holds('only the clocks read the time of the machine', rules.onlyClocksReadTheTime);
holds('every throw is a ServiceError, an assertion or a listed internal error', rules.onlyServiceErrorsAreThrown);
holds('no function is more complex than the linter allows', rules.complexityIsNotSuppressed);
