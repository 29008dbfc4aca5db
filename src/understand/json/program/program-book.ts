// Keeps what is known about the programs of a team in the store, which all processes share: who writes a program says so there,
// and the others wait for it.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { AskedPrograms } from '../../../page/selector-programs.ts';
import type { SelectedValues } from '../../../page/understanding.ts';
import type { ProgramKey, ProgramStore } from '../../../store/ports/pages/program-store.ts';
import type { Clock } from '../../../util/clock.ts';
import {
  type Judgement,
  judge,
  NO_HISTORY,
  type ProgramHistory,
  programsIn,
  type WrittenProgram,
  withWritten,
} from './program-history.ts';

/** The turn to write a program. */
export interface WritingTurn {
  /** Ends it, with the program if one was written. */
  end(written: WrittenProgram | undefined, page: number): Promise<void>;
}

export interface ProgramBook {
  programs(key: ProgramKey): Promise<AskedPrograms['programs']>;
  /** Learns from what was selected on a page, and says what to do. */
  judge(key: ProgramKey, selection: SelectedValues, page: number): Promise<Judged>;
  /** Undefined, once another program was written or anything else was learnt since then: look again. */
  takeTurn(key: ProgramKey, judged: Judged, signal: AbortSignal): Promise<WritingTurn | undefined>;
}

export type Judged = Omit<Judgement, 'changed'> & { seen: Seen };

/** What was read. `isLost`: the store cannot be used, which costs the reuse of programs and not the answer. */
interface Seen {
  text?: string | undefined;
  history: ProgramHistory;
  isLost?: true;
}

interface Deps {
  store: ProgramStore;
  clock: Clock;
}

/** A process that writes a program says so again three times in this time. One that dies holds the others up for no longer. */
const TURN_MS = 15_000;
const LOOK_EVERY_MS = 200;
const MAX_ATTEMPTS = 20;

export function createProgramBook({ store, clock }: Deps, team: string): ProgramBook {
  const read = async (key: ProgramKey): Promise<Seen> => {
    try {
      const text = await store.find(team, key, clock.now());
      return { text, history: text === undefined ? NO_HISTORY : (JSON.parse(text) as ProgramHistory) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { history: NO_HISTORY, isLost: true };
    }
  };

  /** What was written, or undefined if somebody else was faster. */
  const write = async (key: ProgramKey, seen: Seen, history: ProgramHistory): Promise<Seen | undefined> => {
    if (seen.isLost) return seen;
    const text = JSON.stringify(history);
    try {
      return (await store.replace(team, key, seen.text, text, clock.now())) ? { text, history } : undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...seen, isLost: true };
    }
  };

  /** What was deleted meanwhile stays deleted. */
  async function change(key: ProgramKey, changed: (history: ProgramHistory) => ProgramHistory): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const seen = await read(key);
      if (seen.text === undefined || (await write(key, seen, changed(seen.history)))) return;
    }
  }

  const isBusy = ({ writingUntil = 0 }: ProgramHistory): boolean => writingUntil > clock.now();

  async function renew(key: ProgramKey, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(TURN_MS / 3, signal);
      await change(key, (history) => ({ ...history, writingUntil: clock.now() + TURN_MS }));
    }
  }

  function holdTurn(key: ProgramKey): WritingTurn {
    const over = new AbortController();
    const renewing = renew(key, over.signal).catch(() => {});
    return {
      async end(written, page) {
        over.abort();
        await renewing;
        await change(key, ({ writingUntil: _, ...history }) =>
          written ? withWritten(history, written, { page, now: clock.now() }) : history,
        );
      },
    };
  }

  return {
    programs: async (key) => programsIn((await read(key)).history),
    async judge(key, selection, page) {
      for (let attempt = 0; ; attempt++) {
        const seen = await read(key);
        const { changed, ...judgement } = judge(seen.history, selection, { page, now: clock.now() });
        const written = changed ? await write(key, seen, changed) : seen;
        if (written) return { ...judgement, seen: written };
        if (attempt >= MAX_ATTEMPTS) return { advice: 'use', seen };
      }
    },
    async takeTurn(key, { seen }, signal) {
      if (isBusy(seen.history)) {
        while (isBusy((await read(key)).history)) await clock.sleep(LOOK_EVERY_MS, signal);
        return undefined;
      }
      const claimed = await write(key, seen, { ...seen.history, writingUntil: clock.now() + TURN_MS });
      return claimed && holdTurn(key);
    },
  };
}
