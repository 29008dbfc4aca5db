// The recipes of docs/extend/extending.md as edits: a fence that names a path is a new file, a `diff` is a change of one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Edit {
  recipe: string;
  path: string;
  kind: 'new file' | 'change';
  text: string;
}

const FENCE = /^```(ts|diff) (\S+)\n(.*?)^```$/gms;

export function readRecipes(markdown: string): Edit[] {
  return markdown.split(/^## /m).flatMap((section) => {
    const recipe = section.split('\n', 1)[0]!;
    return [...section.matchAll(FENCE)].map(([, language, path, text]) => ({
      recipe,
      path: path!,
      kind: language === 'diff' ? ('change' as const) : ('new file' as const),
      text: text!,
    }));
  });
}

export function applyEdit(root: string, { recipe, path, kind, text }: Edit): void {
  const file = join(root, path);
  if (kind === 'new file') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    return;
  }
  const before = side(text, '-');
  const source = readFileSync(file, 'utf8');
  const found = source.split(before).length - 1;
  if (found !== 1) throw new Error(`${recipe}: ${path} contains the lines of the diff ${found} times:\n${before}`);
  writeFileSync(
    file,
    source.replace(before, () => side(text, '+')),
  );
}

/** The lines of a diff before (`-`) or after (`+`) it is applied. */
const side = (diff: string, mark: '-' | '+'): string =>
  diff
    .split(/(?<=\n)/)
    .filter((line) => line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('');
