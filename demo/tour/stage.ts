// What a step of the tour works with: the small web, the service, and what is shown and checked.
import { type Answer, asCurl, type Call, send } from '../client.ts';
import type { Screen } from '../screen.ts';
import type { DemoService } from '../service.ts';
import type { DemoWeb } from '../web/web.ts';

export interface Step {
  /** Selects the step on the command line. */
  name: string;
  title: string;
  run(stage: Stage): Promise<void>;
}

export interface Stage {
  web: DemoWeb;
  service: DemoService;
  screen: Screen;
  /** For files; removed at the end. */
  folder: string;
  signal: AbortSignal;
  /** Shows the call as curl, sends it, and shows the answer. */
  call(call: Call): Promise<Answer>;
  /** The same, unseen. */
  ask(call: Call): Promise<Answer>;
  /** Shows what was expected, and whether it is so. */
  expect(isRight: boolean, sentence: string): void;
  /** Says why the rest of a step is left out. */
  skip(reason: string): void;
}

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

type Scene = Pick<Stage, 'web' | 'service' | 'screen' | 'folder' | 'signal'>;

export function createStage(scene: Scene, tally: Tally): Stage {
  const { service, screen, signal } = scene;
  const ask = (call: Call) => send(service.url, service.key, call, signal);
  return {
    ...scene,
    ask,
    async call(call) {
      screen.command(asCurl(service.url, call));
      const answer = await ask(call);
      screen.answer(`${answer.status} in ${inWords(answer.ms)}`, answer.body);
      return answer;
    },
    expect(isRight, sentence) {
      tally[isRight ? 'passed' : 'failed'] += 1;
      screen.check(isRight, sentence);
    },
    skip(reason) {
      tally.skipped += 1;
      screen.note(reason);
    },
  };
}

export const inWords = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
