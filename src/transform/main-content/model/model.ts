// Loads the trained model that the training command wrote into data/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../../util/assert.ts';
import { FEATURES } from '../features/features.ts';
import { SIBLING_FEATURES } from '../siblings/template-doubt.ts';
import { type Ensemble, readEnsemble, type SerialisedEnsemble } from './ensemble.ts';
import { PAGE_TYPES } from './page-type.ts';

export interface Model {
  blocks: Ensemble;
  pageTypes: Ensemble;
  /** What siblings of a page say about its blocks. */
  siblings: Ensemble;
}

const FILE = join(import.meta.dirname, '../../../../data/main-content-model.json');

interface ModelFile {
  features: string[];
  blocks: SerialisedEnsemble;
  pageTypes: SerialisedEnsemble & { types: string[] };
  siblings: SerialisedEnsemble & { features: string[] };
}

export function loadModel(file = FILE): Model {
  const { features, blocks, pageTypes, siblings } = JSON.parse(readFileSync(file, 'utf8')) as ModelFile;
  // Trees refer to features by column: if the columns differ, every prediction is nonsense.
  const fits =
    features.join() === FEATURES.join() &&
    pageTypes.types.join() === PAGE_TYPES.join() &&
    siblings.features.join() === SIBLING_FEATURES.join();
  assert(fits, `${file} was trained for other features: run scripts/train-extractor/train.ts again.`);
  return { blocks: readEnsemble(blocks), pageTypes: readEnsemble(pageTypes), siblings: readEnsemble(siblings) };
}
