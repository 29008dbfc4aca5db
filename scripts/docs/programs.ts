// The programs that can use the service as another one, and the paths of those wires, for the manual.
import { readFileSync } from 'node:fs';
import { DIALECT_NAMES, DIALECTS } from '../../src/contracts/dialects/dialect-names.ts';
import { LOAD_DIALECT } from '../../src/dialects/dialects.ts';
import { markdownTable } from '../../src/markup/markdown-table.ts';

/** As in data/programs.json; `KEY` stands for a key. */
interface Program {
  name: string;
  /** Where the block belongs. */
  where: string;
  language: string;
  block: string;
}

const programs = JSON.parse(readFileSync(new URL('../../data/programs.json', import.meta.url), 'utf8')) as Program[];
const routes = await Promise.all(
  DIALECT_NAMES.map(async (name) => ({ ...DIALECTS[name], routes: (await LOAD_DIALECT[name]()).routes })),
);

export const listPrograms = (): string =>
  programs
    .map(({ name, where, language, block }) => `### ${name}\n\n${where}\n\n\`\`\`${language}\n${block}\n\`\`\``)
    .join('\n\n');

export const listDialects = (): string =>
  markdownTable([
    ['Wire', 'Paths', 'What they do'],
    ...routes.flatMap(({ label, prefix, routes: own }) =>
      own.map(({ methods, paths, summary }) => [
        label,
        paths.map((path) => `\`${methods.join(', ')} ${prefix}${path}\``).join(', '),
        summary,
      ]),
    ),
  ]);
