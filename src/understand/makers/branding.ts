// The format `branding`: measured in the browser. A model chooses among our candidates and describes the character.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PageStyles } from '../../page/page-styles.ts';
import type { CarriedSource } from '../../page/understanding.ts';
import type { BrandCandidates } from '../branding/branding.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import {
  BRANDING_INSTRUCTIONS,
  BRANDING_SCHEMA,
  brandingMaterial,
  readBrandAnswer,
} from '../prompts/pages/branding.ts';
import { madeWithoutModel } from '../without-model.ts';

const MAX_ANSWER_TOKENS = 400;
const CUT = '`branding` describes the first part of the page only, because the page is very large.';

export const branding: FormatMaker<'branding'> = async (source, _, tools) => {
  const { styles, url } = source;
  if (!styles) throw new ServiceError('SCRAPE_BRANDING_NOT_SUPPORTED');
  const judged = await judge(source, styles, tools);
  const { choices, character } = 'without' in judged ? { choices: {}, character: {} } : judged;
  const made = { ...(await tools.work.branding.make(styles, url, choices)), ...character };
  const warnings = [
    ...('without' in judged ? [madeWithoutModel('branding', judged.without)] : []),
    ...(styles.isCut ? [CUT] : []),
  ];
  return { content: { branding: made }, warnings };
};

/** Measured values do not need a model, so a failing model only costs the values that it alone can give. */
async function judge(source: CarriedSource, styles: PageStyles, { model, work, signal }: MakerTools) {
  const chosen = model('extract');
  if ('without' in chosen) return chosen;
  try {
    return await askModel(chosen.model, source, await work.branding.candidates(styles), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return { without: error.message.replace(/\.$/, '') };
  }
}

async function askModel(
  model: LanguageModel,
  { markdown }: CarriedSource,
  candidates: BrandCandidates,
  signal: AbortSignal,
) {
  const { value } = await model.object({
    instructions: BRANDING_INSTRUCTIONS,
    material: brandingMaterial(candidates, markdown),
    schema: BRANDING_SCHEMA,
    maxOutputTokens: MAX_ANSWER_TOKENS,
    signal,
  });
  return readBrandAnswer(value, candidates);
}
