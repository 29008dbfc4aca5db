// Makes dist/ from src/ for the npm package, because Node does not strip types below node_modules. The code is what Node
// itself makes of the sources, line by line; only the names of our own files change, from .ts to .mjs.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A string in the code that names a file or a package, with its position. */
interface Text {
  value: string;
  start: number;
  end: number;
}

export interface Compiled {
  files: number;
  /** Names of the packages that the code imports. */
  packages: Set<string>;
}

/** `.mjs` is a module wherever the file is, also in the sandbox, which has no package.json. */
const EXTENSION = '.mjs';

export function compile(source: string, target: string): Compiled {
  rmSync(target, { recursive: true, force: true });
  const paths = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const packages = new Set<string>();
  for (const path of paths) {
    const to = join(target, relative(source, path));
    mkdirSync(dirname(to), { recursive: true });
    if (path.endsWith('.ts')) writeFileSync(renamed(to), compileFile(path, packages));
    else cpSync(path, to);
  }
  return { files: paths.length, packages };
}

const renamed = (path: string): string => path.replace(/\.ts$/, EXTENSION);

function compileFile(path: string, packages: Set<string>): string {
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  const { program, module, errors } = parseSync(renamed(path), code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const name of imports.map(packageOf)) if (name) packages.add(name);
  let result = '';
  let done = 0;
  for (const text of textsOf(program).sort((a, b) => a.start - b.start)) {
    const isSibling = /^\.\.?\//.test(text.value) && existsSync(resolve(dirname(path), text.value));
    if (!isSibling) {
      checkHasNoSourceName(path, text.value);
      continue;
    }
    result += code.slice(done, text.start) + code.slice(text.start, text.end).replace(/\.ts(?=.$)/, EXTENSION);
    done = text.end;
  }
  return result + code.slice(done);
}

/** `undefined` for our own files and for parts of Node. */
function packageOf(specifier: string): string | undefined {
  if (/^(?:\.|node:)/.test(specifier) || builtinModules.includes(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** All strings that end in `.ts`, also the last pieces of templates. */
function textsOf(program: unknown): Text[] {
  const found: Text[] = [];
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { type, value, start, end } = node as { type?: string; value?: unknown; start: number; end: number };
    if (type === 'Literal' && isSourceName(value)) found.push({ value, start, end });
    if (type === 'TemplateElement') {
      const { cooked } = value as { cooked?: string };
      if (isSourceName(cooked)) found.push({ value: cooked.replace(/^\.+/, ''), start, end });
    }
    open.push(...Object.values(node));
  }
  return found;
}

const isSourceName = (value: unknown): value is string => typeof value === 'string' && value.endsWith('.ts');

/** A file of ours that is named in another way would be missing from the package, and only its first use would show it. */
function checkHasNoSourceName(path: string, value: string): void {
  const name = basename(value);
  const folder = dirname(path);
  if (![folder, ...subfolders(folder)].some((each) => existsSync(join(each, name)))) return;
  throw new Error(`${path} names ${value}. Write a relative path as one string: new URL('./x.ts', import.meta.url).`);
}

const subfolders = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
