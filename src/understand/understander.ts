// Port: makes the formats of a page that need understanding, one by one, so that none takes the others away.
import { type ErrorCode, ServiceError } from '../contracts/errors/errors.ts';
import { type FormatOf, keyOf } from '../contracts/formats/format-traits.ts';
import type { Format } from '../contracts/formats/formats.ts';
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { Document } from '../contracts/scrape/document.ts';
import type { Reader } from '../encoders/encoders.ts';
import type { ModelSpending, Models } from '../models/language-model.ts';
import type { SitePrograms } from '../page/selector-programs.ts';
import { siteOfHost } from '../page/site-memory.ts';
import type { CarriedSource, MadeFormat } from '../page/understanding.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import type { ProgramStore } from '../store/ports/pages/program-store.ts';
import { type Clock, systemClock } from '../util/clock.ts';
import { createChunkEmbedding, type EmbeddingDeps } from './chunks/embed-chunks.ts';
import type { FormatMaker, MakerTools } from './format-maker.ts';
import { createProgramBook, type ProgramBook } from './json/program/program-book.ts';
import { programKeyOf } from './json/program/program-key.ts';
import type { UnderstandPool } from './understand-work.ts';

export type DerivedFormat = Extract<Format, { type: FormatOf<'understanding'> }>;

export interface UnderstandAsker {
  asker: Asker;
  /** Zero data retention or lockdown. */
  isPrivate: boolean;
  /** What the models that are asked for this page have used; they add to it. */
  spending?: ModelSpending;
  /** The page may not be in the cache, and neither may what is made of it. */
  isUncached?: boolean;
}

export interface Understander {
  make(
    source: CarriedSource,
    formats: readonly DerivedFormat[],
    asker: UnderstandAsker,
    signal: AbortSignal,
  ): Promise<MadeFormat>;
  /** What makers work with, for other steps that need it. */
  tools(asker: UnderstandAsker, signal: AbortSignal): MakerTools;
  /** The programs that may select what the formats ask for from a page of this site; undefined if none can. */
  programsFor(url: URL, formats: readonly Format[], asker: UnderstandAsker): Promise<SitePrograms | undefined>;
}

export interface UnderstanderOptions {
  pool: UnderstandPool;
  programs?: ProgramStore;
  /** Absent if the operator has turned it off. */
  reader?: Reader;
  /** What gives chunks their vectors. Absent where no page is asked for them. */
  embedding?: Omit<EmbeddingDeps, 'clock'>;
  clock?: Clock;
}

export function createUnderstander(models: Models, options: UnderstanderOptions): Understander {
  const { pool, programs, reader, embedding, clock = systemClock } = options;
  /** Work of the service itself belongs to no team. */
  const programsOf = ({ asker: { team }, isPrivate }: UnderstandAsker): ProgramBook | undefined =>
    programs && team !== '' && !isPrivate ? createProgramBook({ store: programs, clock }, team) : undefined;
  const tools = (understandAsker: UnderstandAsker, signal: AbortSignal): MakerTools => {
    const { asker, isPrivate, spending, isUncached = false } = understandAsker;
    const modelAsker = { ...asker, isPrivate, ...(spending && { spending }) };
    const book = programsOf(understandAsker);
    return {
      work: pool.workFor(asker, signal),
      model: (purpose: ModelPurpose) => models.choose(purpose, modelAsker),
      ...(reader && {
        reader: { unavailable: reader.unavailable, read: (task) => reader.read(task, asker, signal) },
      }),
      ...(book && { programs: book }),
      ...(embedding && {
        embedding: createChunkEmbedding(
          { ...embedding, clock },
          { asker: modelAsker, isKept: !isPrivate && !isUncached },
          signal,
        ),
      }),
      signal,
    };
  };
  return {
    tools,
    async programsFor(url, formats, asker) {
      const book = programsOf(asker);
      if (!book) return undefined;
      const requests = formats.flatMap((format) =>
        format.type === 'deterministicJson' && format.schema ? [{ ...format, schema: format.schema }] : [],
      );
      const asked = await Promise.all(
        requests.map(async ({ schema, prompt }) => {
          const key = programKeyOf(url.href, { schema, prompt });
          return { asked: key.asked, schema, programs: await book.programs(key) };
        }),
      );
      return { site: siteOfHost(url.host), asked };
    },
    async make(source, formats, asker, signal) {
      const { MAKERS } = await import('./makers/makers.ts');
      const made = await Promise.all(
        distinct(formats).map(async (format): Promise<MadeEntry> => {
          const maker = MAKERS[format.type] as FormatMaker | undefined;
          return { format, ...(maker ? await attempt(maker, source, format, tools(asker, signal)) : NOTHING) };
        }),
      );
      return together(made);
    },
  };
}

type MadeEntry = MadeFormat & { format: DerivedFormat };

/** The same entry twice is made once. */
const distinct = (formats: readonly DerivedFormat[]): DerivedFormat[] => [
  ...new Map(formats.map((format) => [JSON.stringify(format), format])).values(),
];

const NOTHING: MadeFormat = { content: {}, warnings: [] };

/** Errors that are about the page or the request as a whole. */
const FAIL_THE_SCRAPE: ReadonlySet<ErrorCode> = new Set(['SCRAPE_JSON_CONTENT_TOO_LARGE']);

/** A format that cannot be made is left out, and a warning says why. Only the end of the request ends all of them. */
async function attempt(
  maker: FormatMaker,
  source: CarriedSource,
  format: DerivedFormat,
  tools: MakerTools,
): Promise<MadeFormat> {
  try {
    return await maker(source, format, tools);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (!(error instanceof ServiceError) || FAIL_THE_SCRAPE.has(error.code)) throw error;
    return { content: {}, warnings: [`\`${format.type}\` is missing. ${error.message}`] };
  }
}

/** A key belongs to the first entry that asks for it. If several do, all of them are in `answers`, in their order. */
function together(made: readonly MadeEntry[]): MadeFormat {
  const byKey = Map.groupBy(made, ({ format }) => keyOf(format.type));
  const isRepeated = ({ format }: MadeEntry): boolean => byKey.get(keyOf(format.type))!.length > 1;
  const repeated = made.filter(isRepeated);
  const firsts = [...byKey.values()].map(([first]) => first!);
  const credits = made.reduce((sum, one) => sum + (one.credits ?? 0), 0);
  const windowsRead = made.reduce((sum, one) => sum + (one.windowsRead ?? 0), 0);
  return {
    content: Object.assign({}, ...firsts.map(({ content }) => content), repeated.length > 0 && answersOf(repeated)),
    warnings: [...new Set(made.flatMap(({ warnings }) => warnings))],
    citations: Object.assign(
      {},
      ...firsts.map(({ citations }) => citations),
      ...repeated.map((entry, at) => !firsts.includes(entry) && below(`answers[${at}]`, entry.citations)),
    ),
    ...(credits > 0 && { credits }),
    ...(windowsRead > 0 && { windowsRead }),
  };
}

/** Each with the words that it was asked with, so that no caller has to count. */
const answersOf = (entries: readonly MadeEntry[]): Pick<Document, 'answers'> => ({
  answers: entries.map(({ format, content }) => ({ ...askedWords(format), ...content })),
});

const askedWords = (format: DerivedFormat) => ({
  type: format.type,
  ...('question' in format && { question: format.question }),
  ...('query' in format && { query: format.query }),
  ...('prompt' in format && format.prompt !== undefined && { prompt: format.prompt }),
});

const below = (path: string, citations: MadeFormat['citations'] = {}): MadeFormat['citations'] =>
  Object.fromEntries(Object.entries(citations).map(([name, citation]) => [`${path}.${name}`, citation]));
