// Ctrl-C and kill: the first asks the command to end, the second ends the program. SIGHUP keeps its meaning, which `nohup`
// changes for whole programs.
import { EXIT } from './exit-codes.ts';

export interface Interrupts {
  signal: AbortSignal;
  /** How the program ends if it was interrupted. */
  exitCode(): number | undefined;
  /** The reader of the results has left: the command ends, and nothing is wrong. */
  readerLeft(): void;
}

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated };

export function watchInterrupts(program: Pick<NodeJS.Process, 'on' | 'exit'>): Interrupts {
  const interrupted = new AbortController();
  let code: number | undefined;
  const end = (exitCode: number) => {
    if (interrupted.signal.aborted) program.exit(exitCode);
    code = exitCode;
    interrupted.abort();
  };
  for (const [name, exitCode] of Object.entries(CODES)) program.on(name as 'SIGINT', () => end(exitCode));
  return {
    signal: interrupted.signal,
    exitCode: () => code,
    readerLeft() {
      code ??= EXIT.ok;
      interrupted.abort();
    },
  };
}
