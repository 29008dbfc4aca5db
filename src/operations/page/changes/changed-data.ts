// The json mode of change tracking: which fields of a page have changed, or what a language model says about the changes.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { ChangeStatus } from '../../../contracts/formats/page-changes.ts';
import type { LanguageModel } from '../../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../../page/understanding.ts';
import { describeChanges } from '../../../understand/changes/describe-changes.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import type { DerivedFormat } from '../../../understand/understander.ts';
import { hashOf } from '../../../util/hash.ts';
import type { ChangeTracking } from './history-keys.ts';
import type { ExtractedData, StoredVersion } from './stored-version.ts';

export interface JsonMode {
  format: ChangeTracking;
  tools: MakerTools;
  /** Makes the format `json` of a page. */
  extract(source: CarriedSource, format: Extract<DerivedFormat, { type: 'json' }>): Promise<MadeFormat>;
}

/** A page that was compared with its earlier version. */
interface ComparedPage {
  source: CarriedSource;
  earlier?: StoredVersion;
  status: ChangeStatus;
  /** Present if the page has changed. */
  diff?: string;
}

export interface ComparedData {
  /** What the next version is compared with. */
  data?: ExtractedData;
  /** Present if the page has changed. */
  json?: Record<string, unknown>;
  warnings: string[];
}

/** What a version holds by the schema. Without `data`, the page does not have it, or it could not be read. */
type Extraction = Pick<ComparedData, 'data' | 'warnings'>;

const MODE = 'The json mode of `changeTracking`';
const NOT_EXTRACTED = `${MODE} has nothing to compare with yet, because no fields were extracted from the last version of the page. It has from the next change on.`;
const CUT = `${MODE} was made from the first changes: all of them are too long for the language model.`;

/**
 * With a schema, the fields that have changed. Without one, what a language model says about the changes, or the fields that
 * the prompt names, or the data of the page.
 */
export async function compareData(mode: JsonMode, page: ComparedPage): Promise<ComparedData> {
  const { modes, schema } = mode.format;
  if (!modes.includes('json')) return { warnings: [] };
  const chosen = mode.tools.model('extract');
  return schema || 'without' in chosen ? compareFields(mode, page) : describe(mode, page, chosen.model);
}

async function describe(
  { format, tools }: JsonMode,
  { diff }: ComparedPage,
  model: LanguageModel,
): Promise<ComparedData> {
  if (diff === undefined) return { warnings: [] };
  try {
    const { json, isCut } = await describeChanges(diff, format.prompt, model, tools.signal);
    return { json, warnings: isCut ? [CUT] : [] };
  } catch (error) {
    tools.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return { warnings: [`${MODE} is missing. ${error.message}`] };
  }
}

async function compareFields(mode: JsonMode, { source, earlier, status }: ComparedPage): Promise<ComparedData> {
  const by = extractedBy(mode);
  // If the text is the same, so are the fields.
  if (status === 'same' && earlier?.json?.by === by) return { data: earlier.json, warnings: [] };
  const { data, warnings } = await extractFrom(mode, source, by);
  if (!data || !earlier || status !== 'changed') return { data, warnings };
  const before = await earlierFields(mode, source, earlier, by);
  return {
    data,
    ...(before.data && { json: changedKeys(before.data.value, data.value) }),
    warnings: [...new Set([...warnings, ...before.warnings])],
  };
}

/** Without a model, fields come from data of the page that its text does not have, so only stored ones are comparable. */
async function earlierFields(
  mode: JsonMode,
  { url, title, language }: CarriedSource,
  { json, markdown }: StoredVersion,
  by: string,
): Promise<Extraction> {
  if (json?.by === by) return { data: json, warnings: [] };
  if ('without' in mode.tools.model('extract')) return { warnings: [NOT_EXTRACTED] };
  return extractFrom(mode, { url, title, language, markdown }, by);
}

async function extractFrom({ format, extract }: JsonMode, source: CarriedSource, by: string): Promise<Extraction> {
  const { schema, prompt } = format;
  const { content, warnings } = await extract(source, { type: 'json', schema, prompt });
  const named = warnings.map((warning) => warning.replace(/^`json`/, MODE));
  return { ...('json' in content && { data: { by, value: content.json } }), warnings: named };
}

function extractedBy({ format: { schema, prompt }, tools }: JsonMode): string {
  const chosen = tools.model('extract');
  return hashOf(schema ?? null, prompt ?? null, 'model' in chosen ? chosen.model.name : null);
}

/** Only the top level is compared. A list counts as one field, `items`. */
export function changedKeys(before: unknown, after: unknown): Record<string, { previous: unknown; current: unknown }> {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changed = names.filter((name) => hashOf(old.get(name) ?? null) !== hashOf(now.get(name) ?? null));
  return Object.fromEntries(
    changed.map((name) => [name, { previous: old.get(name) ?? null, current: now.get(name) ?? null }]),
  );
}

const fieldsOf = (value: unknown): Map<string, unknown> => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(Object.entries(isObject ? value : { items: value }));
};
