// What the words of a query mean, as a vector. Searches do not wait long for it: without, pages are ranked by words alone.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Clause, Query } from '../../../contracts/search/search-query.ts';
import type { SentenceVectors } from '../../../encoders/encoders.ts';
import type { TextVector } from '../../../text/text-vectors.ts';
import { raceTimeout } from '../../../util/abort.ts';
import type { Caller } from '../../caller.ts';

export interface QueryMeanings {
  /** Undefined if it says nothing in words, or the encoder cannot tell in time. */
  of(
    query: Query,
    caller: Pick<Caller, 'signal'> & { team: Pick<Caller['team'], 'id'> },
  ): Promise<TextVector | undefined>;
  /** The same, waiting as long as it takes. Throws ENCODER_UNAVAILABLE. */
  require(query: Query, caller: Caller): Promise<TextVector | undefined>;
}

/** Long enough where the encoder is loaded. Loading takes longer: then the next search has it. */
const WAIT_MS = 150;
const TURNED_OFF = 'Searching by meaning is turned off on this server (TRAWL_SEMANTIC). Search with the mode `words`.';

/** `choice`: `on` waits for the encoder in any case. */
export function createQueryMeanings(sentences: SentenceVectors, choice: 'auto' | 'on' | 'off'): QueryMeanings {
  const encode = async (query: Query, { team, signal }: Parameters<QueryMeanings['of']>[1]) => {
    const text = wordsOf(query);
    return text === '' ? undefined : (await sentences.encode([text], { team: team.id }, signal))[0];
  };
  return {
    async of(query, caller) {
      if (choice === 'off' || sentences.unavailable() !== undefined) return undefined;
      const encoding = encode(query, caller).catch(() => {
        caller.signal.throwIfAborted();
        return undefined;
      });
      return choice === 'on' ? encoding : raceTimeout(encoding, WAIT_MS, () => undefined);
    },
    async require(query, caller) {
      if (choice === 'off') throw new ServiceError('ENCODER_UNAVAILABLE', { message: TURNED_OFF });
      return encode(query, caller);
    },
  };
}

const wordsOf = ({ clauses }: Query): string =>
  clauses
    .flatMap((clause) => (isText(clause) && !clause.negated ? [clause.text] : []))
    .join(' ')
    .trim();

const isText = (clause: Clause): clause is Extract<Clause, { text: string }> =>
  clause.kind === 'word' || clause.kind === 'phrase';
