// Writes THIRD-PARTY-NOTICES.txt: the packages and data of others that come with Trawl, with their licences. A text that
// several packages have in the same words is printed once, below the copyright lines of all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The model cards, each with a table of the data from which the weights were made. */
const CARDS = [
  'data/main-content-model.md',
  'models/pii/MODEL_CARD.md',
  'models/reader/MODEL_CARD.md',
  'models/sentences/MODEL_CARD.md',
];

const INTRO = `Third-party notices

Trawl is licensed under the Apache License 2.0 (see LICENSE). It comes with the packages and data below, which have
licences of their own. The files of the console contain code of some of these packages.
Packages without a text below carry their licence themselves, or name it only in their package.json.
\`npm run docs\` makes this file from the lock files, the installed packages and the model cards.`;

const RULE = '='.repeat(100);

export function buildNotices(): string {
  const packages = shippedPackages(ROOT, { withTexts: true });
  // The runtime of the models is installed only where models are used.
  const ofModels = shippedPackages(join(ROOT, 'models'), { withTexts: false });
  const sections = [
    INTRO,
    listOf('Packages of the service and its console', packages),
    listOf('Packages that run the models', ofModels),
    dataSection(),
    ...textSections(packages),
  ];
  return `${sections.join(`\n\n${RULE}\n\n`)}\n`;
}

const listOf = (title: string, packages: ShippedPackage[]): string =>
  [title, '', ...packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`)].join('\n');

/** The tables of the cards whose last column is the licence, and what stands below them. */
function dataSection(): string {
  const tables = CARDS.map((card) => {
    const parts = readFileSync(join(ROOT, card), 'utf8').split('\n## ');
    const data = parts.find((part) => /^\|.*\| licence \|$/m.test(part));
    if (!data) throw new Error(`${card} has no table with the licences of its data.`);
    return `${parts[0]!.split('\n')[0]!.replace('# ', '')} (${card})\n\n${data.slice(data.indexOf('\n') + 1).trim()}`;
  });
  return ['Data from which the weights of models were made', ...tables].join('\n\n');
}

/** What tells a line that names owners from a sentence of a licence. */
const COPYRIGHT_LINE = /^\W*copyright\b.*(?:\d{4}|\(c\)|©)/i;

interface Text {
  body: string;
  /** Under each package, its copyright lines. */
  owners: string[];
}

function textSections(packages: ShippedPackage[]): string[] {
  const texts = new Map<string, Text>();
  for (const { name, version, texts: own } of packages) {
    for (const text of own) {
      const lines = text.split('\n').map((line) => line.trimEnd());
      const body = lines.filter((line) => !COPYRIGHT_LINE.test(line)).join('\n');
      const copyright = lines.filter((line) => COPYRIGHT_LINE.test(line)).map((line) => `    ${line.trim()}`);
      const key = sameWords(body);
      const known = texts.get(key) ?? { body: body.replaceAll(/\n{3,}/g, '\n\n').trim(), owners: [] };
      known.owners.push(`${name} ${version}`, ...copyright);
      texts.set(key, known);
    }
  }
  return [...texts.values()].map(({ body, owners }) => `${owners.join('\n')}\n\n${body}`);
}

/** Equal for texts that differ only in their heading, line breaks and marks around lines. */
const sameWords = (text: string): string =>
  text
    .replace(/^\W*(?:the )?(?:mit|isc|bsd-?\w*|apache)?\s*licen[cs]e\s*(?:\(\w+\))?\s*\n/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
