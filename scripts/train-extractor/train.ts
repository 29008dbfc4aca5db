// Trains the main-content model and writes it with its scores and model card:
//   node scripts/train-extractor/train.ts FOLDER [--folds 3] [--out data] [--cache DIR] [--threads 2] [--date DAY]
// With --scores-only, it stops after the validation and writes nothing.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Ensemble } from './ensemble.ts';
import { type Examples, loadExamples } from './examples.ts';
import { fitAll } from './fit.ts';
import { BLOCK_PARAMS } from './gbdt.ts';
import { likelySites } from './likely-siblings.ts';
import { pageTypeMatrix, trainPageTypes } from './page-types.ts';
import { rowsOf, type ScoreRow, scoreRows, scoreTable } from './report.ts';
import { createDoubt, type ReadingOf, type SitePage, sitePages, trainSiblings } from './sites.ts';
import { type Split, splitPages } from './split.ts';
import { makeTargets, type Targets } from './targets.ts';
import { judgePage, probabilityOf, type Validation, validate } from './validate.ts';
import { writeModel } from './write-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: 'string', default: '3' },
    out: { type: 'string', default: join(import.meta.dirname, '../../data') },
    cache: { type: 'string' },
    threads: { type: 'string', default: '2' },
    date: { type: 'string' },
    'scores-only': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const started = performance.now();

if (folder) await main(folder);
else {
  console.error('Pass the folder with the labelled sets: node scripts/train-extractor/train.ts FOLDER');
  process.exitCode = 2;
}

async function main(dataFolder: string): Promise<void> {
  const examples = loadExamples(dataFolder, values.cache);
  say(`${examples.pages.length} pages, ${examples.blocks.rows} blocks, ${examples.blocks.columns} features`);
  const split = splitPages(examples.pages, Number(values.folds));
  for (const [k, { byAddress, byText }] of split.overlaps.entries()) {
    const name = k < split.folds ? `fold ${k}` : 'final fit';
    say(`${name}: training pages also in validation: ${byAddress} by address, ${byText} by text; left out`);
  }

  const targets = makeTargets(examples);
  const validation = await crossValidate(examples, split, targets);
  const bySiblings = validateSiblings(examples, split, targets, validation);
  say(`The same pages where siblings are known, alone and with them:\n${scoreTable(bySiblings)}`);
  if (values['scores-only']) return;

  const blockModel = (await fitAll([blockTask(examples, targets, split.allowed)], 1))[0]!;
  const typeRows = pageTypeMatrix(examples.pages, validation.probability);
  const typeModel = trainPageTypes(examples.pages, typeRows, (_, i) => split.allowed[i] === 1);
  const siblingModel = fitSiblings(examples, targets, validation, split.allowed);
  say('final fit done');
  const scores: ScoreRow[] = scoreRows(examples.pages, validation);
  writeModel(values.out, {
    blockModel,
    typeModel,
    siblingModel,
    examples,
    split,
    scores,
    bySiblings,
    date: values.date ?? commitDate(),
  });
  say(`written to ${values.out}`);
}

async function crossValidate(examples: Examples, split: Split, targets: Targets): Promise<Validation> {
  const tasks = split.training.map((training) => blockTask(examples, targets, training));
  const models: Ensemble[] = await fitAll(tasks, Number(values.threads));
  say(`${models.length} models fitted`);
  const validation = validate(examples, split, models);
  say(`Pages that the models did not see:\n${scoreTable(scoreRows(examples.pages, validation))}`);
  return validation;
}

/** Each page with as many siblings as there are, judged by trees that saw no page of its domain. */
function validateSiblings(examples: Examples, split: Split, targets: Targets, validation: Validation): ScoreRow[] {
  const doubts = split.training.map((training) => createDoubt(fitSiblings(examples, targets, validation, training)));
  const foldOf = new Map(examples.pages.map((page, index) => [page, split.fold[index]!]));
  const all = sitePages(examples.pages, readingsOf(examples, validation));
  // The first example of a page has all of its siblings.
  const first = [...Map.groupBy(all, ({ page }) => page).values()].map(([example]) => example!);
  const judged = (doubtOf: (example: SitePage) => Float64Array | undefined) =>
    rowsOf(first.map((each) => [each.page, judgePage(each.page, each.probability, each.odds, doubtOf(each))]));
  const alone = judged(() => undefined);
  const together = judged((each) => doubts[foldOf.get(each.page)!]!(each));
  return alone.flatMap((row, at) => [row, { ...together[at]!, pages: `${row.pages}, with siblings` }]);
}

/** Fits trees to the sites of the pages marked with 1, real ones and likely ones. */
function fitSiblings(examples: Examples, targets: Targets, validation: Validation, inUse: Uint8Array): Ensemble {
  const used = examples.pages.filter((_, index) => inUse[index] === 1);
  const readingOf = readingsOf(examples, validation);
  const real = sitePages(used, readingOf);
  return trainSiblings([...real, ...likelySites(used, real, targets.labels, readingOf)], targets);
}

function readingsOf({ pages }: Examples, { probability, odds }: Validation): ReadingOf {
  const indexOf = new Map(pages.map((page, index) => [page, index]));
  return (page) => ({ probability: probabilityOf(page, probability), odds: odds[indexOf.get(page)!]! });
}

/** Fits a model to the blocks of the pages marked with 1. */
function blockTask({ pages, blocks }: Examples, { labels, weights }: Targets, inUse: Uint8Array) {
  const used = new Float64Array(weights.length);
  for (const [i, { firstRow, words }] of pages.entries()) {
    if (inUse[i] === 1) used.set(weights.subarray(firstRow, firstRow + words.length), firstRow);
  }
  return { data: blocks, labels, weights: used, params: BLOCK_PARAMS };
}

/** The date of the current commit, so that the same code and data give the same bytes on any day. */
function commitDate(): string {
  return execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

function say(text: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
