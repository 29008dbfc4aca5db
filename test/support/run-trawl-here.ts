// A command of `trawl` in the process of the test, with all that is between what was typed and what is written. It costs
// some milliseconds; a process of its own, as in run-trawl.ts, half a second.
import { Writable } from 'node:stream';
import { runCommandLine, type Surroundings } from '../../src/cli/command-line.ts';
import type { ClientSettings, LocalTools } from '../../src/cli/local-tools.ts';
import type { Ended } from './run-trawl.ts';

/** For commands that need nothing but a running service, and read nothing from standard input. */
export async function runTrawlHere(args: readonly string[], client: Partial<ClientSettings>): Promise<Ended> {
  const [out, err] = [collect(), collect()];
  const surroundings = { stdout: out.stream, stderr: err.stream, on() {}, exit() {} } as unknown as Surroundings;
  const local = {
    client: { ...client, configFolder: undefined, isDebug: false },
    explain: () => undefined,
  } as unknown as LocalTools;
  const code = await runCommandLine(args, local, surroundings);
  return { code, out: out.text(), err: err.text() };
}

function collect() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(parts).toString() };
}
