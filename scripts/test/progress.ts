// How far a run is: a line that is written anew, for somebody who watches, and what was running when it was interrupted.
export interface Progress {
  /** Returns what to call at the end of the job. */
  begin(name: string, total: number): () => void;
  interrupt(): void;
}

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** The cursor waits at the start of the line, so whatever is printed next begins with this. */
export const CLEAR_LINE = '\x1b[K';

export function createProgress(terminal: Terminal): Progress {
  const running = new Set<string>();
  let ended = 0;
  const show = (text: string) => terminal.isTTY && terminal.write(`${CLEAR_LINE}${text}\r`);
  return {
    begin(name, total) {
      running.add(name);
      return () => {
        running.delete(name);
        ended += 1;
        show(running.size > 0 ? `${ended} of ${total}: ${[...running].at(-1)}` : '');
      };
    },
    interrupt() {
      show('');
      if (running.size > 0) terminal.write(`Interrupted while these ran:\n  ${[...running].join('\n  ')}\n`);
    },
  };
}
