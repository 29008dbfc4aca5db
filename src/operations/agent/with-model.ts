// A run of an agent with a language model: sets the loop up, and turns its end into the end of the run.
import type { AgentRun } from '../../contracts/agent/agent.ts';
import { RunCancelled, type RunOutcome } from '../../jobs/runs/run-handler.ts';
import type { ModelSpending } from '../../models/language-model.ts';
import type { RunView } from '../../store/ports/runs/run-store.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { toolsFor } from '../../understand/agent/agent-tools.ts';
import { createConversation } from '../../understand/agent/conversation.ts';
import { createKnownUrls, type KnownUrls } from '../../understand/agent/known-urls.ts';
import { agentInstructions, checkNote, NOTES } from '../../understand/prompts/tasks/agent.ts';
import type { Understander } from '../../understand/understander.ts';
import type { Clock } from '../../util/clock.ts';
import { actionEvents } from './agent-events.ts';
import type { AgentJob } from './agent-job.ts';
import { type Findings, finishedOutcome, stoppedOutcome } from './agent-result.ts';
import type { EarlierTurns, Prepared } from './prepare.ts';
import { type ResearchEnd, type Researcher, research } from './research.ts';
import { type ChosenModel, type TurnParts, takeTurn } from './take-turn.ts';
import { createToolbox, type Toolbox } from './toolbox.ts';
import { type BrowserParts, createPageUser, namedSites } from './use-page.ts';

export interface ModelDeps extends BrowserParts {
  understander: Pick<Understander, 'tools'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
}

type Room = NonNullable<Prepared['room']>;

interface Conditions {
  room: Room;
  hasBrowser: boolean;
  earlier: EarlierTurns;
  model: TurnParts['model'];
}

/** `without`: the model could not be asked from the start, and nothing was done. */
export async function runWithModel(
  deps: ModelDeps,
  job: AgentJob,
  { room, hasBrowser, earlier, model }: Conditions,
): Promise<RunOutcome | { without: string }> {
  const { run, request, tools, limits } = job;
  const { understander, clock } = deps;
  const asker = { asker: { team: run.teamId }, isPrivate: run.zeroDataRetention };
  const workUntil = (signal: AbortSignal) => understander.tools(asker, signal).work;
  const work = workUntil(tools.signal);
  const known = knownAtFirst(request, earlier);
  const events = (name: string, input: unknown, credits = 0) => actionEvents(tools, { name, input, credits });
  const canUsePages = hasBrowser && namedSites(request).length > 0;
  const pageUser = canUsePages ? createPageUser({ ...deps, ...job, known, model, events }) : undefined;
  const shared = { tools, web: job.web, known, events };
  const toolbox = createToolbox({ ...shared, work, pageUser, pieceCharacters: pieceCharacters(room) });
  const findings = (): Findings => ({ draft: toolbox.draft, pages: toolbox.pages.list(), request });
  const researcher: Researcher = {
    ...{ tools, toolbox, limits },
    ...setting(request, { room, earlier, toolbox, canUsePages }),
    conversationId: run.id,
    takeTurn: (turn) => takeTurn(turn, { tools, clock, model }),
    async review({ message }) {
      if (request.mode === 'chat' && !toolbox.draft.data) return message ? undefined : NOTES.noMessage;
      const { data, claims } = toolbox.draft;
      if (data === undefined && message && !request.schema) return undefined;
      const { schema } = request;
      const checked = await work.agent.check({ ...(schema && { schema }), data, claims, pages: findings().pages });
      return checked.problems.length + checked.unsourced.length === 0 ? undefined : checkNote(checked);
    },
  };
  try {
    return await outcomeOf(await research(researcher), work.agent, findings(), tools.spent().credits);
  } catch (error) {
    if (!(tools.signal.reason instanceof RunCancelled)) throw error;
    // The signal of the run has ended everything else.
    const { agent } = workUntil(AbortSignal.timeout(LAST_CHECK_MS));
    return stoppedOutcome(agent, findings(), { reason: 'cancelled', credits: tools.spent().credits });
  }
}

const LAST_CHECK_MS = 20_000;

async function outcomeOf(
  end: ResearchEnd,
  work: Parameters<typeof finishedOutcome>[0],
  findings: Findings,
  credits: number,
): Promise<RunOutcome | { without: string }> {
  if ('without' in end) return end;
  if ('finish' in end) return finishedOutcome(work, findings, end.finish, { credits, model: end.model });
  const { stopped, message, model } = end;
  return stoppedOutcome(work, findings, {
    reason: stopped,
    credits,
    ...(message !== undefined && { message }),
    ...(model !== undefined && { model }),
  });
}

/** A local model may take minutes for a long page. */
const TURN_MS = 5 * 60_000;

export function chooseModel({ understander, clock }: ModelDeps, run: RunView, signal: AbortSignal): ChosenModel {
  const spending: ModelSpending = { tokens: 0, credits: 0 };
  const asker = { team: run.teamId, deadline: clock.now() + TURN_MS };
  const chosen = understander.tools({ asker, isPrivate: run.zeroDataRetention, spending }, signal).model('agent');
  return 'model' in chosen ? { ...chosen, spending } : chosen;
}

/** URLs that the caller, not the model, named before the first turn. */
function knownAtFirst({ prompt, urls }: AgentRun, earlier: EarlierTurns): KnownUrls {
  const known = createKnownUrls();
  known.add(urls.map((url) => url.replace(/\/?\*$/, '')));
  known.add(earlier.urls);
  known.addText(prompt);
  return known;
}

const MAX_URLS_SHOWN = 100;

function setting(
  { prompt, urls, schema, mode, strictConstrainToURLs: isStrict }: AgentRun,
  {
    room,
    earlier,
    toolbox,
    canUsePages,
  }: Pick<Conditions, 'room' | 'earlier'> & {
    toolbox: Toolbox;
    canUsePages: boolean;
  },
) {
  const isChat = mode === 'chat';
  const offers = { hasSearch: !isStrict, canUsePages };
  const instructions = agentInstructions({ hasSchema: schema !== undefined, isChat, isStrict, canUsePages });
  const taken = estimateTokens(instructions + JSON.stringify(toolsFor({ ...offers, isEnding: false }))) + RULE_TOKENS;
  const answer = Math.min(room.maxOutputTokens, room.contextTokens / 3);
  const task = {
    request: prompt,
    ...(urls.length > 0 && { urls: urls.slice(0, MAX_URLS_SHOWN).join('\n') }),
    ...(schema && { schema: JSON.stringify(schema) }),
    ...(earlier.text !== undefined && { earlier: earlier.text }),
  };
  const maxTokens = Math.max(MIN_ROOM, Math.floor(room.contextTokens - answer - taken));
  const progress = () =>
    `Recorded: ${(JSON.stringify(toolbox.draft.data) ?? 'nothing').slice(0, maxTokens)}\nPages read:\n${toolbox.pages.describe()}`;
  return { instructions, offers, isChat, conversation: createConversation({ task, maxTokens, progress }) };
}

const RULE_TOKENS = 200;
const MIN_ROOM = 1_000;

/** A sixth of the room, since a model reads several pieces before the first ones go. */
const pieceCharacters = ({ contextTokens }: Room): number =>
  Math.max(1_500, Math.min(16_000, Math.floor((contextTokens * 3) / 6)));
