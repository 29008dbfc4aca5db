// The list of decisions by area, made from the headings of docs/decisions.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

export function listDecisions(): string {
  const files = globSync('*.md', { cwd: FOLDER }).filter((file) => file !== 'README.md');
  return files.sort().map(listArea).join('\n\n');
}

function listArea(file: string): string {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const area = /^# Decisions: (.+)$/m.exec(text)![1]!;
  const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => `- [${title}](${file}#${anchorOf(title!)})`);
  return [`## [${area[0]!.toUpperCase()}${area.slice(1)}](${file})`, '', ...titles].join('\n');
}
