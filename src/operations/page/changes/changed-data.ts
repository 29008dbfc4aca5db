// The json mode of change tracking: which fields of a page have changed, or what a language model says about the changes.
import type { MadeFormat, PageSource } from '../../../contracts/understanding.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import type { Understander } from '../../../understand/understander.ts';
import { hashOf } from '../../../util/hash.ts';
import type { ChangeTracking } from './history-keys.ts';
import type { ExtractedData, StoredVersion } from './stored-version.ts';

export interface JsonMode {
  format: ChangeTracking;
  tools: MakerTools;
  /** Makes the format `json` of a page. */
  extract(source: PageSource, format: Parameters<Understander['make']>[1][number]): Promise<MadeFormat>;
}

/** What a version holds by the schema. Without `data`, the page does not have it, or it could not be read. */
export interface Extraction {
  data?: ExtractedData;
  warnings: string[];
}

const NOT_EXTRACTED =
  'The fields of `changeTracking` cannot be compared yet, because they were not extracted from the last version of the page. They can be from the next change on.';

/** The fields of this version. If the text is the same, so are they. */
export async function extractFields(
  mode: JsonMode,
  source: PageSource,
  earlier: StoredVersion | undefined,
  isSame: boolean,
): Promise<Extraction> {
  const by = extractedBy(mode);
  if (isSame && earlier?.json?.by === by) return { data: earlier.json, warnings: [] };
  return extractFrom(mode, source, by);
}

/** The fields that have changed, each with both values. */
export async function changedFields(
  mode: JsonMode,
  source: PageSource,
  earlier: StoredVersion,
  current: ExtractedData,
): Promise<{ json?: Record<string, unknown>; warnings: string[] }> {
  const before = await earlierFields(mode, source, earlier, current.by);
  if (!before.data) return { warnings: before.warnings };
  return { json: changedKeys(before.data.value, current.value), warnings: before.warnings };
}

/** Without a model, fields come from data of the page that its text does not have, so only stored ones are comparable. */
async function earlierFields(
  mode: JsonMode,
  { url, title, language }: PageSource,
  { json, markdown }: StoredVersion,
  by: string,
): Promise<Extraction> {
  if (json?.by === by) return { data: json, warnings: [] };
  if ('without' in mode.tools.model('extract')) return { warnings: [NOT_EXTRACTED] };
  return extractFrom(mode, { url, title, language, markdown }, by);
}

async function extractFrom({ format, extract }: JsonMode, source: PageSource, by: string): Promise<Extraction> {
  const { schema, prompt } = format;
  const { content, warnings } = await extract(source, { type: 'json', schema, prompt });
  const named = warnings.map((warning) => warning.replace(/^`json`/, 'The json mode of `changeTracking`'));
  return { ...('json' in content && { data: { by, value: content.json } }), warnings: named };
}

function extractedBy({ format: { schema, prompt }, tools }: JsonMode): string {
  const chosen = tools.model('extract');
  return hashOf(schema, prompt ?? null, 'model' in chosen ? chosen.model.name : null);
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
