// Gives the chunks of a page their vectors, by the server that the operator has set or by our own encoder. What was embedded
// before is known, so of a page that is read again only new chunks are.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Chunk } from '../../contracts/formats/chunk.ts';
import type { SentenceVectors } from '../../encoders/encoders.ts';
import type { TextEmbedder } from '../../models/embeddings/embedder.ts';
import type { ModelAsker } from '../../models/language-model.ts';
import { siteOfHost } from '../../page/site-memory.ts';
import type { ChunkVectorKey, ChunkVectorStore } from '../../store/ports/pages/chunk-vector-store.ts';
import { startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { sha256 } from '../../util/hash.ts';
import { ownVector, packVectors, readVectors, type StoredVector, serverVector, vectorNumbers } from './vector-bytes.ts';

export interface EmbeddingAsker {
  asker: ModelAsker;
  /** Whether vectors may be kept for later requests of the team. */
  isKept: boolean;
}

/** For one team, as long as the request lasts. */
export interface ChunkEmbedding {
  /** `variant`: how the page was cut. Warnings say which chunks have no vector, and why. */
  embed(
    chunks: readonly Chunk[],
    page: { url: string; variant: string },
  ): Promise<{ chunks: Chunk[]; warnings: string[] }>;
}

export interface EmbeddingDeps {
  /** As in models/create-models.ts. */
  embedder(asker: ModelAsker): { embedder: TextEmbedder } | { without: string } | undefined;
  sentences: SentenceVectors;
  store: ChunkVectorStore;
  clock: Clock;
}

interface Source {
  /** Its vectors may have the name of a model of ours and be others. */
  by: 'own' | 'server';
  model: string;
  /** So many texts are embedded at a time. */
  batch: number;
  embed(texts: readonly string[], signal: AbortSignal): Promise<StoredVector[]>;
}

/** A vector of our own takes 25 ms, so these may take twelve seconds. */
const MAX_CHUNKS = 500;
const MAX_MS = 30_000;
/** Time that a request keeps for what follows. */
const RESERVE_MS = 1_000;
const OWN_BATCH = 8;
const SERVER_BATCH = 32;
/** Longer texts are cut: no model reads more. */
const MAX_CHARACTERS = 32_000;

export function createChunkEmbedding(
  deps: EmbeddingDeps,
  { asker, isKept }: EmbeddingAsker,
  signal: AbortSignal,
): ChunkEmbedding {
  const { store, clock } = deps;
  return {
    async embed(chunks, { url, variant }) {
      const source = sourceFor(deps, asker);
      if (typeof source === 'string') return { chunks: [...chunks], warnings: [`\`embedding\` is missing: ${source}`] };
      const key = isKept && asker.team !== '' ? keyFor(url, `${source.by} ${source.model}\n${variant}`) : undefined;
      const known = readVectors(key && (await store.find(asker.team, key, clock.now())));
      const texts = chunks.slice(0, MAX_CHUNKS).map(embeddedText);
      const names = texts.map((text) => sha256(text));
      const vectors = new Map(names.flatMap((name) => (known.has(name) ? [[name, known.get(name)!] as const] : [])));
      const missing = new Map(names.flatMap((name, at) => (vectors.has(name) ? [] : [[name, texts[at]!] as const])));
      const problem = await embedMissing(source, missing, vectors);
      if (key && vectors.size > 0 && (missing.size > 0 || vectors.size < known.size)) {
        await store.put(asker.team, key, packVectors(vectors), clock.now());
      }
      const embedded = chunks.map((chunk, at) => {
        const vector = at < names.length ? vectors.get(names[at]!) : undefined;
        return vector ? { ...chunk, embedding: vectorNumbers(vector), embeddingModel: source.model } : chunk;
      });
      return { chunks: embedded, warnings: warningsFor(embedded, problem) };
    },
  };

  /** Adds to `vectors`. Returns why some are still missing. A server that fails takes nothing from the page. */
  async function embedMissing(
    source: Source,
    missing: ReadonlyMap<string, string>,
    vectors: Map<string, StoredVector>,
  ): Promise<string | undefined> {
    const ends = Math.min(clock.now() + MAX_MS, (asker.deadline ?? Number.POSITIVE_INFINITY) - RESERVE_MS);
    const entries = [...missing];
    for (let from = 0; from < entries.length; from += source.batch) {
      const group = entries.slice(from, from + source.batch);
      const time = startDeadline(Math.max(0, ends - clock.now()), () => new ServiceError('MODEL_TIMEOUT'), signal);
      try {
        time.signal.throwIfAborted();
        const made = await source.embed(
          group.map(([, text]) => text),
          time.signal,
        );
        for (const [at, [name]] of group.entries()) vectors.set(name, made[at]!);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        return error.code === 'MODEL_TIMEOUT' ? OUT_OF_TIME : error.message;
      } finally {
        time.done();
      }
      await nextTurn();
    }
    return undefined;
  }
}

const OUT_OF_TIME = 'The time of the request was over. Raise `timeout`, or repeat the request: it goes on from there.';

/** A sentence if there is nothing to embed with. */
function sourceFor({ embedder, sentences }: EmbeddingDeps, asker: ModelAsker): Source | string {
  const chosen = embedder(asker);
  if (chosen && 'without' in chosen) return `${chosen.without}.`;
  if (chosen) {
    const { model, embed } = chosen.embedder;
    const make: Source['embed'] = async (texts, signal) => (await embed(texts, signal)).map(serverVector);
    return { by: 'server', model, batch: SERVER_BATCH, embed: make };
  }
  const problem = sentences.unavailable();
  if (problem !== undefined) return problem;
  const make: Source['embed'] = async (texts, signal) => (await sentences.encode(texts, asker, signal)).map(ownVector);
  return { by: 'own', model: sentences.name, batch: OWN_BATCH, embed: make };
}

/** The id would not do: a title that changes leaves it as it is. */
const embeddedText = ({ context, text }: Chunk): string =>
  (context === '' ? text : `${context}\n\n${text}`).slice(0, MAX_CHARACTERS);

/** Undefined for uploads, which nobody reads again. */
function keyFor(address: string, made: string): ChunkVectorKey | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return { site: siteOfHost(url.host), page: sha256(`${address}\n${made}`) };
}

function warningsFor(chunks: readonly Chunk[], problem: string | undefined): string[] {
  const without = chunks.slice(0, MAX_CHUNKS).filter(({ embedding }) => !embedding).length;
  return [
    ...(problem === undefined ? [] : [`\`embedding\` is missing in ${without} of ${chunks.length} chunks. ${problem}`]),
    ...(chunks.length > MAX_CHUNKS ? [`Only the first ${MAX_CHUNKS} chunks of a page get an \`embedding\`.`] : []),
  ];
}
