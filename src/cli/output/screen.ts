// Standard output and standard error of a command. A reader who leaves (`| head`) ends the command quietly.
import type { Clock } from '../../util/clock.ts';
import type { Progress, Screen } from '../command.ts';
import { createProgress, type DrawnProgress } from './progress.ts';
import { safeText } from './safe-text.ts';

export interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

interface ScreenOptions {
  isQuiet: boolean;
  json: boolean;
  clock: Pick<Clock, 'now'>;
}

const NO_TERMINAL_COLUMNS = 80;
const SILENT: Progress = { update() {}, end() {} };

export function createScreen({ out, err }: Streams, { isQuiet, json, clock }: ScreenOptions): Screen {
  const drawn = new Set<DrawnProgress>();
  const isTerminal = out.isTTY === true;
  const decoder = new TextDecoder();
  const hideProgress = () => {
    for (const progress of drawn) progress.hide();
  };
  return {
    isTerminal,
    width: out.columns || NO_TERMINAL_COLUMNS,
    json,
    print(text) {
      hideProgress();
      const shown = isTerminal ? safeText(text) : text;
      out.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    printBytes(bytes) {
      hideProgress();
      out.write(isTerminal ? safeText(decoder.decode(bytes, { stream: true })) : bytes);
    },
    note(sentence) {
      if (isQuiet) return;
      hideProgress();
      err.write(`${safeText(sentence)}\n`);
    },
    progress(what) {
      if (isQuiet || err.isTTY !== true) return SILENT;
      const terminal = {
        columns: () => err.columns || NO_TERMINAL_COLUMNS,
        write: (text: string) => void err.write(text),
      };
      const progress = createProgress(what, terminal, clock);
      drawn.add(progress);
      return {
        update: progress.update,
        end() {
          progress.end();
          drawn.delete(progress);
        },
      };
    },
  };
}

/** Resolves when everything that was written has left the process. */
export const flush = async ({ out, err }: Streams): Promise<void> => {
  await Promise.all([out, err].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))));
};
