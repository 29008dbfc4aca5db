// What the words of a query mean, as a vector. Searches do not wait long for it: without, pages are ranked by words alone.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Clause, Query } from '../../../contracts/search/search-query.ts';
import type { SentenceVectors } from '../../../encoders/encoders.ts';
import { cosine, type TextVector } from '../../../text/text-vectors.ts';
import { guessLanguage } from '../../../text/words/language.ts';
import { raceTimeout } from '../../../util/abort.ts';
import type { Caller } from '../../caller.ts';

export type MeaningCaller = Pick<Caller, 'signal'> & { team: Pick<Caller['team'], 'id'> };

export interface QueryMeanings {
  /** Undefined if it says nothing in words, or the encoder cannot tell in time. */
  of(query: Query, caller: MeaningCaller): Promise<TextVector | undefined>;
  /** The same, waiting as long as it takes. Throws ENCODER_UNAVAILABLE. */
  require(query: Query, caller: Caller): Promise<TextVector | undefined>;
  /** How near each text is to the query; undefined where the encoder cannot tell. What takes longer than `waitMs` is left out. */
  nearness(
    query: Query,
    texts: readonly string[],
    caller: MeaningCaller,
    waitMs: number,
  ): Promise<(number | undefined)[]>;
}

/** Texts in a step, after which it may be too late for more. */
const TEXTS_AT_ONCE = 4;
/** What the encoder knows; '' is unknown. */
const LANGUAGES = ['en', ''];
/** Long enough where the encoder is loaded. Loading takes longer: then the next search has it. */
const WAIT_MS = 150;
const TURNED_OFF = 'Searching by meaning is turned off on this server (TRAWL_SEMANTIC). Search with the mode `words`.';

/** `choice`: `on` waits for the encoder in any case. */
export function createQueryMeanings(sentences: SentenceVectors, choice: 'auto' | 'on' | 'off'): QueryMeanings {
  const encode = async (query: Query, { team, signal }: MeaningCaller) => {
    const text = wordsOf(query);
    return text === '' ? undefined : (await sentences.encode([text], { team: team.id }, signal))[0];
  };
  /** Queries whose vectors were not there in time and are still being made: the model is being loaded. */
  let late = 0;
  const meanings: QueryMeanings = {
    async of(query, caller) {
      if (choice === 'off' || sentences.unavailable() !== undefined) return undefined;
      const encoding = encode(query, caller).catch(() => {
        caller.signal.throwIfAborted();
        return undefined;
      });
      const onLate = () => {
        late += 1;
        const settled = () => {
          late -= 1;
        };
        encoding.then(settled, settled);
        return undefined;
      };
      return choice === 'on' ? encoding : raceTimeout(encoding, WAIT_MS, onLate);
    },
    async require(query, caller) {
      if (choice === 'off') throw new ServiceError('ENCODER_UNAVAILABLE', { message: TURNED_OFF });
      return encode(query, caller);
    },
    async nearness(query, texts, caller, waitMs) {
      const ends = performance.now() + waitMs;
      // What the same search has waited for in vain is not waited for again.
      const wanted = late > 0 && choice !== 'on' ? undefined : await meanings.of(query, caller);
      const nearnesses: (number | undefined)[] = texts.map(() => undefined);
      if (!wanted) return nearnesses;
      const { team, signal } = caller;
      const readable = texts.flatMap((text, at) => (LANGUAGES.includes(guessLanguage(text)) ? [at] : []));
      for (let from = 0; from < readable.length; from += TEXTS_AT_ONCE) {
        const group = readable.slice(from, from + TEXTS_AT_ONCE);
        const groupTexts = group.map((at) => texts[at]!);
        const encoding = sentences.encode(groupTexts, { team: team.id }, signal).catch(() => {
          signal.throwIfAborted();
          return undefined;
        });
        const left = Math.max(0, ends - performance.now());
        const vectors = await (choice === 'on' ? encoding : raceTimeout(encoding, left, () => undefined));
        if (!vectors) break;
        for (const [index, at] of group.entries()) nearnesses[at] = cosine(wanted, vectors[index]!);
      }
      return nearnesses;
    },
  };
  return meanings;
}

/** What a query asks for in words. */
export const wordsOf = ({ clauses }: Query): string =>
  clauses
    .flatMap((clause) => (isText(clause) && !clause.negated ? [clause.text] : []))
    .join(' ')
    .trim();

const isText = (clause: Clause): clause is Extract<Clause, { text: string }> =>
  clause.kind === 'word' || clause.kind === 'phrase';
