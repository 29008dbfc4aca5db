// Writes the files of a trained model: weights and scores as JSON, and a model card about its training.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../src/transform/main-content/features/features.ts';
import { PAGE_TYPES } from '../../src/transform/main-content/model/page-type.ts';
import { SIBLING_FEATURES } from '../../src/transform/main-content/siblings/template-doubt.ts';
import { type Ensemble, serialise } from './ensemble.ts';
import type { Examples } from './examples.ts';
import { BLOCK_PARAMS, type BoostParams, PAGE_TYPE_PARAMS, SIBLING_PARAMS } from './gbdt.ts';
import { type ScoreRow, scoreTable } from './report.ts';
import type { Split } from './split.ts';

export interface TrainedModel {
  readonly blockModel: Ensemble;
  readonly typeModel: Ensemble;
  readonly siblingModel: Ensemble;
  readonly examples: Examples;
  readonly split: Split;
  readonly scores: readonly ScoreRow[];
  /** Of the pages with siblings, alone and with them. */
  readonly bySiblings: readonly ScoreRow[];
  readonly date: string;
}

export function writeModel(folder: string, model: TrainedModel): void {
  mkdirSync(folder, { recursive: true });
  const weights = {
    features: FEATURES,
    blocks: serialise(model.blockModel),
    pageTypes: { types: PAGE_TYPES, ...serialise(model.typeModel) },
    siblings: { features: SIBLING_FEATURES, ...serialise(model.siblingModel) },
  };
  writeFileSync(join(folder, 'main-content-model.json'), `${JSON.stringify(weights)}\n`);
  const scores = {
    date: model.date,
    scores: model.scores,
    bySiblings: model.bySiblings,
    gain: gainShares(model.blockModel),
  };
  writeFileSync(join(folder, 'main-content-scores.json'), `${JSON.stringify(scores, null, 2)}\n`);
  writeFileSync(join(folder, 'main-content-model.md'), modelCard(model));
}

/** The share of each feature in the total gain, in descending order, without unused features. */
function gainShares({ gain }: Ensemble): Record<string, number> {
  const total = gain.reduce((sum, value) => sum + value, 0);
  const shares = FEATURES.map((name, i) => [name, Math.round((gain[i]! / total) * 1e5) / 1e5] as const);
  return Object.fromEntries(shares.filter(([, share]) => share > 0).sort((a, b) => b[1] - a[1]));
}

function modelCard({
  blockModel,
  typeModel,
  siblingModel,
  examples,
  split,
  scores,
  bySiblings,
  date,
}: TrainedModel): string {
  const { pages, blocks } = examples;
  const used = split.allowed.reduce((sum, allowed) => sum + allowed, 0);
  const found = split.overlaps.map(({ byAddress, byText }) => `${byAddress} / ${byText}`).join(', ');
  return `# Main-content model

Tells for each block of a web page how likely it is main content, and which of ${PAGE_TYPES.length} kinds the page is. Where other pages of the site are
known, a second set of trees corrects the blocks whose text stands on them.
Weights: \`main-content-model.json\`. Figures in full: \`main-content-scores.json\`. Made by \`scripts/train-extractor/train.ts\`.

- Date: ${date}. Seed: none, nothing is drawn by chance; the same code and data give the same bytes.
- Blocks: ${describe(blockModel, BLOCK_PARAMS)}, ${FEATURES.length} features. Page type: ${describe(typeModel, PAGE_TYPE_PARAMS)}. Blocks of pages with siblings, corrected: ${describe(siblingModel, SIBLING_PARAMS)}, ${SIBLING_FEATURES.length} features.
- Trained on ${used} of ${pages.length} pages, ${blocks.rows} blocks in all.

## Data

| set | pages | licence |
|---|--:|---|
| WCXB, development split | ${countOf(examples, 'wcxb-dev')} | CC-BY-4.0 |
| trafilatura's evaluation pages (snippets) | ${countOf(examples, 'trafi')} | Apache-2.0 |
| content-extractor-benchmark (snippets) | ${countOf(examples, 'ceb')} | Apache-2.0 |
| magic-html, articles and forums | ${countOf(examples, 'magic-article') + countOf(examples, 'magic-forum')} | Apache-2.0 |

The pages themselves are not part of this project. Half of magic-html's pages (B) was never trained on.

## Validation

${split.folds} folds by registrable domain: each page is judged by a model that saw no page of its domain. Training pages that also stand in validation, by address / by
shared 12-grams of the text: ${found} (the folds, then the final fit); they were left out. Scores are of the text of the chosen blocks, before Markdown.

${scoreTable(scores)}

Pages whose site has other pages in these sets, alone and with what they have in common:

${scoreTable(bySiblings)}
`;
}

const describe = ({ roots, feature }: Ensemble, { leaves, learningRate, minLeafRows, l2 }: BoostParams): string =>
  `${roots.length} trees of up to ${leaves} leaves (${feature.length} nodes; learning rate ${learningRate}, at least ${minLeafRows} rows a leaf, l2 ${l2})`;

const countOf = ({ pages }: Examples, set: string): number => pages.filter((page) => page.set === set).length;
