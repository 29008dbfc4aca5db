// From what was typed to the exit code: finds the command, reads its flags, runs it, and says in one sentence why it failed.
import { systemClock } from '../util/clock.ts';
import type { Invocation } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import type { OpenedSession } from './connect/connect.ts';
import { EXIT } from './exit-codes.ts';
import { failureOf } from './failure.ts';
import { type FoundCommand, findCommand } from './find-command.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import type { LocalTools } from './local-tools.ts';
import { safeText } from './output/safe-text.ts';
import { createScreen, flush, type Streams } from './output/screen.ts';
import { commandFlags } from './parse/command-flags.ts';
import { leadingFlags } from './parse/leading-flags.ts';
import { type Parsed, readArguments } from './parse/read-arguments.ts';
import type { ResolvedFlag } from './parse/resolved-flag.ts';

/** What a command writes to, and what interrupts it. */
export type Surroundings = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'on' | 'exit'>;

/** Returns the exit code, after everything was written. */
export async function runCommandLine(
  typed: readonly string[],
  local: LocalTools,
  surroundings: Surroundings = process,
): Promise<number> {
  const streams = { out: surroundings.stdout, err: surroundings.stderr };
  const interrupts = watchInterrupts(surroundings);
  for (const stream of [streams.out, streams.err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'EIO') interrupts.readerLeft();
    });
  }
  const code = await run(typed, { local, streams, interrupts });
  await flush(streams);
  return code;
}

interface Program {
  local: LocalTools;
  streams: Streams;
  interrupts: Interrupts;
}

async function run(typed: readonly string[], program: Program): Promise<number> {
  const { local, streams, interrupts } = program;
  let flags: readonly ResolvedFlag[] = [];
  try {
    const found = await findCommand(leadingFlags(typed), COMMANDS);
    flags = await commandFlags(found.command);
    const parsed = readArguments(found.rest, flags);
    if (parsed.flags.help) return await showHelp(found, flags, parsed, streams.out);
    if (!found.command.run) {
      await showHelp(found, flags, parsed, streams.err);
      return EXIT.usage;
    }
    return await runCommand(found, parsed, program);
  } catch (error) {
    const code = interrupts.exitCode();
    if (code !== undefined) return code;
    const { sentence, exitCode } = failureOf(error, local, flags);
    streams.err.write(`${safeText(sentence)}\n`);
    return exitCode;
  }
}

async function runCommand({ name, command }: FoundCommand, parsed: Parsed, program: Program): Promise<number> {
  const { local, streams, interrupts } = program;
  const { json, quiet } = parsed.flags;
  const screen = createScreen(streams, { isQuiet: quiet === true, json: json === true, clock: systemClock });
  const origin = name === 'mcp' ? 'mcp' : 'cli';
  let session: Promise<OpenedSession> | undefined;
  const invocation: Invocation = {
    ...parsed,
    table: COMMANDS,
    local,
    screen,
    signal: interrupts.signal,
    connect() {
      session ??= import('./connect/connect.ts').then(({ connect }) =>
        connect({ flags: parsed.flags, local, screen, origin }),
      );
      // A command that stays, such as `mcp`, may try again.
      session.catch(() => {
        session = undefined;
      });
      return session;
    },
  };
  try {
    return (await command.run!(invocation)) ?? interrupts.exitCode() ?? EXIT.ok;
  } finally {
    const opened = await session?.catch(() => undefined);
    await opened?.close();
  }
}

async function showHelp(
  { name, summary, command }: FoundCommand,
  flags: readonly ResolvedFlag[],
  parsed: Parsed,
  stream: NodeJS.WriteStream,
): Promise<number> {
  const { commandHelp } = await import('./help/help.ts');
  stream.write(`${commandHelp({ name, summary, command, flags }, { all: parsed.flags.all === true })}\n`);
  return EXIT.ok;
}
