// The program: without a command it runs the service; commands look after its keys and its data folder.
import { runBackup, runRestore } from './cli/backup.ts';
import { banner, OFFLINE_HINT } from './cli/banner.ts';
import { runDoctor } from './cli/doctor.ts';
import { helpText } from './cli/help.ts';
import { runKeys } from './cli/keys/keys.ts';
import { isTerminal, say, sayFailure } from './cli/output.ts';
import { openBackup, openRestore } from './compose/commands/backup.ts';
import { openKeyRing } from './compose/commands/keys.ts';
import { createService } from './compose/service.ts';
import { readConfig, SETTINGS } from './config/settings.ts';
import { modelsByPurpose } from './models/model-choice.ts';
import { canResolveNames } from './net/addresses/resolver.ts';
import { DEFAULT_TEAM } from './operations/team/keys.ts';
import { webSearchers } from './search/federation/choose-providers.ts';

const [command, ...args] = process.argv.slice(2);

const COMMANDS: Readonly<Record<string, () => unknown>> = {
  keys,
  backup: async () => sayAll(await runBackup(args, openBackup(readConfig(), say))),
  restore: async () => sayAll(await runRestore(args, openRestore(readConfig(), say))),
  doctor,
  help,
  '--help': help,
  '-h': help,
};

try {
  if (command === undefined) await start();
  else if (Object.hasOwn(COMMANDS, command)) await COMMANDS[command]!();
  else {
    help();
    process.exitCode = 1;
  }
} catch (error) {
  sayFailure(inOneSentence(error));
}

async function start(): Promise<void> {
  const config = readConfig();
  const service = await createService(config, {
    onFatal: () => {
      sayFailure(
        'The store has failed, so the service is stopping. The log has the cause. Nothing that was answered is lost.',
      );
      process.exit();
    },
  });
  const stop = async () => {
    await service.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const searchers = webSearchers(config.searchProviders);
  const { url, firstKey: key } = service;
  const firstPage = `${config.publicUrl ?? url}/docs/1-start.md`;
  const models = modelsByPurpose(config.models);
  say(banner({ url, firstPage, key, hasOwnKey: config.apiKey !== undefined, auth: config.auth, searchers, models }));
  // A proxy resolves names itself. Without a reader nobody needs the hint, so nobody is asked.
  if (isTerminal() && config.proxy.length === 0 && !(await canResolveNames(config.dns))) say(OFFLINE_HINT);
}

async function doctor(): Promise<void> {
  const { examine } = await import('./compose/commands/doctor.ts');
  const { lines, isWell } = await runDoctor(args, { examine: (options) => examine(readConfig(), options) });
  sayAll(lines);
  if (!isWell) process.exitCode = 1;
}

function help(): void {
  say(helpText(Object.values(SETTINGS)));
}

function sayAll(lines: string[]): void {
  for (const line of lines) say(line);
}

async function keys(): Promise<void> {
  const ring = await openKeyRing(readConfig());
  try {
    sayAll(await runKeys(args, ring, DEFAULT_TEAM));
  } finally {
    await ring.close();
  }
}

function inOneSentence(error: unknown): string {
  const { code, message, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is in use by another program. Set TRAWL_PORT to a free port.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine has no network address ${address}. Set TRAWL_HOST to one that it has.`;
  if (code === 'EACCES' && port !== undefined)
    return `This program may not listen on port ${port}. Set TRAWL_PORT to one above 1023.`;
  return message;
}
