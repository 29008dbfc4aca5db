// The first step of a run: which model it works with, and what was said before in its thread. Stored, so that a run that is
// taken up again goes on as it began.
import type { AgentResult, AgentRun } from '../../contracts/agent/agent.ts';
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { ChosenModel } from './take-turn.ts';

export interface Prepared {
  /** Absent: `without` says why, in words for the caller. */
  room?: { contextTokens: number; maxOutputTokens: number };
  without?: string;
  /** Whether a page can be used: there is a browser. */
  hasBrowser?: boolean;
  earlier: EarlierTurns;
}

export interface EarlierTurns {
  /** JSON, the newest turn last; undefined in the first run of a thread. */
  text?: string;
  /** Where their values came from: the follow-up may read these pages again. */
  urls: string[];
}

const MAX_TURNS = 10;
const MAX_URLS = 200;
/** The newest turns get the room. */
const MAX_CHARACTERS = 20_000;
const MAX_RESULT = 8_000;

interface Parts {
  tools: RunTools;
  runs: Pick<RunStore, 'list'>;
  clock: Pick<Clock, 'now'>;
  chosen(): ChosenModel;
  sessions: Pick<Sessions, 'unavailable'>;
}

export const prepare = (run: RunView, { tools, runs, clock, chosen, sessions }: Parts): Promise<Prepared> =>
  tools.step({ key: 'prepare', name: 'prepare' }, async () => {
    const model = chosen();
    const room =
      'model' in model
        ? { room: { contextTokens: model.model.contextTokens, maxOutputTokens: model.model.maxOutputTokens } }
        : { without: model.without };
    const hasBrowser = sessions.unavailable() === undefined;
    return { output: { ...room, hasBrowser, earlier: await readEarlier(run, runs, clock.now()) } };
  });

async function readEarlier(run: RunView, runs: Pick<RunStore, 'list'>, now: number): Promise<EarlierTurns> {
  const { group, turn, teamId } = run;
  if (group === undefined || turn <= 1) return { urls: [] };
  const newestFirst = await runs.list(teamId, { kind: 'agent', group, limit: MAX_TURNS + 1 }, now);
  return describeTurns(newestFirst.filter((each) => each.turn < turn));
}

function describeTurns(newestFirst: readonly RunView[]): EarlierTurns {
  const kept: string[] = [];
  const urls = new Set<string>();
  let room = MAX_CHARACTERS;
  for (const { turn, request, result, status } of newestFirst) {
    const { prompt, urls: given = [] } = request as AgentRun;
    const { data, partial, message, citations = {} } = (result ?? {}) as AgentResult;
    const found = JSON.stringify(data ?? partial) ?? '';
    const text = JSON.stringify({
      ...{ turn, request: prompt, status, message },
      result: found.length > MAX_RESULT ? `${found.slice(0, MAX_RESULT)} [cut]` : (data ?? partial),
    });
    room -= text.length;
    if (room < 0) break;
    kept.unshift(text);
    for (const url of [...given, ...Object.values(citations).map((citation) => citation.url)]) {
      if (urls.size < MAX_URLS) urls.add(url);
    }
  }
  return { ...(kept.length > 0 && { text: `[${kept.join(',\n')}]` }), urls: [...urls] };
}
