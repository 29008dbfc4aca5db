// The work of the formats `json` and `deterministicJson` that runs in a page thread.
import type { Reading, ReadingTask } from '../../encoders/reader/reading.ts';
import type { AskedPrograms, SelectorProgram } from '../../page/selector-programs.ts';
import type { CarriedSource, Citation, PageSource, PageText, SelectedValues } from '../../page/understanding.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { hashOf } from '../../util/hash.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { withOffer } from '../offer/offer-pairs.ts';
import { flatRanges } from '../reading/readable-text.ts';
import { citationsOf } from './citations.ts';
import { type AskedJson, type LeftOut, leftOutWarnings, withoutInvented } from './extract/invented.ts';
import { mergeParts } from './extract/merge-parts.ts';
import { type PageParts, splitPage } from './extract/split-page.ts';
import { fillFromPage, type OpenFields } from './fill/fill.ts';
import type { PageHtml } from './program/page-template.ts';
import { runProgram } from './program/run-program.ts';
import { modelSchema, readSchema } from './schema/read-schema.ts';
import type { JsonSchema } from './schema/subschemas.ts';
import { compileValidator, problemText, type Validate } from './schema/validator.ts';

export interface CheckedJson {
  /** Undefined if the page has nothing of what was asked for. */
  value: unknown;
  /** What the schema demands and the value does not fulfil; empty for a valid value. */
  problems: string[];
  citations: Record<string, Citation>;
}

export interface FinishedJson extends CheckedJson {
  /** Warnings that name what does not stand on the page. */
  leftOut: string[];
  /** What a model that corrects its answer has to know. */
  mistakes: string[];
}

export interface FillRequest {
  /** How certain a value must be, 0 to 1. */
  confidence: number;
  /** What the reader has found, by the paths of the fields. */
  readings?: readonly (readonly [path: string, reading: Reading])[];
}

export interface FilledJson extends CheckedJson {
  /** What the reader can be asked where the rules are not certain. */
  open?: OpenReading;
}

export interface OpenReading extends Omit<ReadingTask, 'maxRuns'> {
  /** The paths of the fields, in the order of the questions. */
  paths: string[];
}

export interface TriedProgram extends CheckedJson {
  /** The values that should differ from page to page. */
  marks: Record<string, number>;
}

export interface ModelTask extends PageParts {
  schema: JsonSchema;
}

/** What runs in the thread. */
export interface JsonWork {
  /** Why a caller's schema cannot be used; undefined if it can. */
  schemaProblem(schema: JsonSchema): Promise<string | undefined>;
  /** Fills a schema from the page alone. */
  fill(schema: JsonSchema, source: CarriedSource, request: FillRequest): Promise<FilledJson>;
  /** What a model is asked with: a schema that its server accepts, and the page in parts that fit. */
  prepare(schema: JsonSchema | undefined, markdown: string, maxTokens: number): Promise<ModelTask>;
  /** Takes from a model's answers for the parts of a page what stands on it, puts that together, and validates it. */
  finish(asked: AskedJson, answers: readonly unknown[], source: CarriedSource): Promise<FinishedJson>;
  /** What known programs select on a page. */
  select(asked: AskedPrograms, source: CarriedSource): Promise<SelectedValues>;
  /** The structure of a page, as far as it fits. */
  outline(page: PageHtml, maxTokens: number): Promise<string>;
  /** Runs a new program. Problems are those of the program and those that the validator finds in its result. */
  tryProgram(schema: JsonSchema, program: SelectorProgram, source: CarriedSource): Promise<TriedProgram>;
  /** What the page's data says, for requests without a schema. */
  describe(source: CarriedSource): Promise<CheckedJson>;
}

const MAX_QUESTIONS = 16;
const MAX_VALIDATORS = 8;
const validators = new Map<string, Validate>();

function validatorFor(schema: JsonSchema): Validate {
  const key = hashOf(schema);
  const known = validators.get(key);
  if (known) return known;
  const made = compileValidator(schema);
  if (validators.size >= MAX_VALIDATORS) validators.delete(validators.keys().next().value!);
  validators.set(key, made);
  return made;
}

export function fillSchema(given: JsonSchema, source: PageSource, { confidence, readings }: FillRequest): FilledJson {
  const schema = readSchema(given);
  const { value, origins, open } = fillFromPage(schema, withOffer(source), {
    threshold: confidence,
    ...(readings && { readings: new Map(readings) }),
  });
  const asked = open && !readings && isReadable(source) ? { open: openReading(open) } : {};
  if (value === undefined) return { value, problems: [], citations: {}, ...asked };
  dropInvalid(schema, value);
  return { value, problems: schemaProblems(schema, value), citations: citationsOf(value, source, origins), ...asked };
}

/** The reader knows English well, and labels alone in a few other languages. */
const isReadable = ({ language, markdown }: PageSource): boolean =>
  ['en', ''].includes(guessLanguage(markdown, language));

/** The fields about which the rules are least certain, as far as they can be asked for. */
function openReading({ page, questions }: OpenFields): OpenReading {
  const asked = questions.toSorted((a, b) => a.confidence - b.confidence).slice(0, MAX_QUESTIONS);
  return {
    ...page,
    pieces: flatRanges(page.pieces),
    questions: asked.map(({ question, places }) => ({ question, places })),
    paths: asked.map(({ path }) => path),
  };
}

export function runProgramOn(
  given: JsonSchema,
  program: SelectorProgram,
  source: PageText,
  options: { isNew: boolean },
): CheckedJson & { empty: string[] } {
  const schema = readSchema(given);
  const { value, problems, empty } = runProgram(schema, program, source, options);
  const invalid = value === undefined ? ['Nothing was selected.'] : schemaProblems(schema, value);
  return { value, problems: [...problems, ...invalid], citations: citationsOf(value, source), empty };
}

/** A value of the page that the schema forbids is not what was asked for. */
function dropInvalid(schema: JsonSchema, value: unknown): void {
  for (const { path, isMissing } of validatorFor(schema)(value)) {
    if (!isMissing) removeAt(value, path);
  }
}

const partsOf = (path: string): string[] => path.split(/\.|\[|\]\.?/).filter((part) => part !== '');

/** Own fields only: a name such as `__proto__.toString` would lead to what all objects of the thread share. */
function valueAt(value: unknown, path: string): unknown {
  return partsOf(path).reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, part)
        ? (at as Record<string, unknown>)[part]
        : undefined,
    value,
  );
}

export function removeAt(value: unknown, path: string): void {
  const last = partsOf(path).at(-1);
  const parent = valueAt(value, path.replace(/(?:^|\.)[^.[\]]*$/, ''));
  if (last === undefined || typeof parent !== 'object' || parent === null || Array.isArray(parent)) return;
  delete (parent as Record<string, unknown>)[last];
}

const ANY_OBJECT: JsonSchema = { type: 'object' };

export function prepareTask(given: JsonSchema | undefined, markdown: string, maxTokens: number): ModelTask {
  const { schema } = modelSchema(given ? readSchema(given) : ANY_OBJECT);
  return { schema, ...splitPage(markdown, maxTokens) };
}

export function finishAnswers(asked: AskedJson, answers: readonly unknown[], source: PageText): FinishedJson {
  const schema = asked.schema ? readSchema(asked.schema) : ANY_OBJECT;
  const stands = standsOnPage(source);
  const unwrappedAnswers = answers.map((answer) => unwrapped(schema, answer));
  const read = { ...asked, ...(asked.schema && { schema }) };
  const checked = unwrappedAnswers.map((answer) => withoutInvented(answer, read, stands));
  const given = validated(schema, mergeParts(unwrappedAnswers));
  const { value, problems } = validated(schema, mergeParts(checked.map((each) => each.value)));
  const left = joinLeft(
    checked.map((each) => each.left),
    value,
  );
  const mistakes = [...given.problems, ...leftOutWarnings('', left)];
  return { value, problems, citations: citationsOf(value, source), leftOut: leftOutWarnings('json', left), mistakes };
}

/** Another part of the page may have said what one part did not; rows have other places when lists are joined. */
function joinLeft(parts: readonly LeftOut[][], value: unknown): LeftOut[] {
  if (parts.length === 1) return parts[0]!;
  const joined = new Map<string, LeftOut>();
  for (const { path, entries } of parts.flat()) {
    if (entries === undefined && !path.includes('[') && valueAt(value, path) !== undefined) continue;
    const anywhere = path.replaceAll(/\[\d+\]/g, '[]');
    const key = `${anywhere} ${entries === undefined}`;
    const count = entries === undefined ? {} : { entries: entries + (joined.get(key)?.entries ?? 0) };
    joined.set(key, { path: anywhere, ...count });
  }
  return [...joined.values()];
}

/** An answer as it is, without what is null and may not be. */
export function finishData(given: JsonSchema | undefined, data: unknown): Pick<CheckedJson, 'value' | 'problems'> {
  const schema = given ? readSchema(given) : ANY_OBJECT;
  return validated(schema, unwrapped(schema, data));
}

function validated(schema: JsonSchema, value: unknown): Pick<CheckedJson, 'value' | 'problems'> {
  dropNulls(schema, value);
  return { value, problems: schemaProblems(schema, value) };
}

function unwrapped(schema: JsonSchema, value: unknown): unknown {
  const isInside = typeof value === 'object' && value !== null && !Array.isArray(value) && 'items' in value;
  return isInside && modelSchema(schema).isWrapped ? value.items : value;
}

/** Models write null for what a page does not say, also where the schema has no room for it. */
function dropNulls(schema: JsonSchema, value: unknown): void {
  for (const { path, isMissing } of validatorFor(schema)(value)) {
    if (!isMissing && valueAt(value, path) === null) removeAt(value, path);
  }
}

/** What the schema demands and the value does not fulfil. */
export const schemaProblems = (schema: JsonSchema, value: unknown): string[] => [
  ...new Set(validatorFor(schema)(value).map(problemText)),
];
