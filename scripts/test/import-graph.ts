// Which modules of the project load which others: by imports that exist at run time, and by relative paths in strings, with
// which threads, child processes and data files are named.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Module {
  text: string;
  /** Paths from the root of the project. */
  loads: string[];
}

export type ImportGraph = ReadonlyMap<string, Module>;

const SOURCES = '**/*.{ts,tsx,mts,mjs}';
const RELATIVE_PATH = /['"`](\.{1,2}\/[\w./-]+\.\w+)['"`]/g;

/** The modules below the folders. */
export function readImportGraph(folders: readonly string[]): ImportGraph {
  const paths = folders.filter((folder) => existsSync(folder)).flatMap((folder) => globSync(`${folder}/${SOURCES}`));
  return new Map(paths.map((path) => [path, readModule(path, readFileSync(path, 'utf8'))]));
}

export function readModule(path: string, text: string): Module {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text, { sourceType: 'module' }).module;
  const specifiers = [
    ...staticImports
      // Types are gone at run time; the compiler checks them.
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).map(({ moduleRequest }) => moduleRequest?.value ?? ''),
    ),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
    ...[...text.matchAll(RELATIVE_PATH)].map(([, named]) => named!),
  ].filter((specifier) => specifier.startsWith('.'));
  // A type that is imported alone matches as a string, too.
  const types = staticImports.filter(({ entries }) => entries.length > 0 && entries.every(({ isType }) => isType));
  const erased = new Set(types.map(({ moduleRequest }) => moduleRequest.value));
  const loaded = new Set(specifiers.filter((specifier) => !erased.has(specifier)));
  return { text, loads: [...loaded].map((specifier) => normalize(join(dirname(path), specifier))) };
}

/** A module and everything that it loads, as far as `follow` allows. */
export function reachableFrom(graph: ImportGraph, start: string, follow: (path: string) => boolean): Set<string> {
  const reached = new Set([start]);
  for (const path of reached) {
    if (path !== start && !follow(path)) continue;
    for (const next of graph.get(path)?.loads ?? []) reached.add(next);
  }
  return reached;
}
