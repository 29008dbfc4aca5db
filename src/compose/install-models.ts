// Installs the runtime of the models behind the running service, if it is missing. Nobody waits for it but requests that
// need it, and those are told.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import { checkoutModels, MODELS_FOLDER } from '../encoders/model-runtime/checkout-models.ts';
import type { Log } from '../runtime/log.ts';
import { runProgram } from '../runtime/programs/run-program.ts';

const MAX_OUTPUT_BYTES = 64 * 1024;

interface InstallOptions extends Pick<Config, 'installModels' | 'npmEnv'> {
  /** `models` of another project. */
  folder?: string;
}

/** Ends when it is installed, or with a line in the log. Aborting kills npm; the next start begins again. */
export async function installModels(
  { installModels: isWanted, npmEnv, folder = MODELS_FOLDER }: InstallOptions,
  log: Pick<Log, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  const models = checkoutModels(folder);
  const script = join(folder, '..', 'scripts', 'models.mjs');
  // The npm package does not have the script: nothing is installed there that its user has not asked for.
  if (!isWanted || models.state().is !== 'missing' || !existsSync(script)) return;
  const command = models.installCommand;
  log.info('installing the model runtime in the background');
  const run = { program: process.execPath, args: [script], env: npmEnv, folder: join(folder, '..'), isGroup: true };
  try {
    const { code, stderr } = await runProgram({ ...run, maxOutputBytes: MAX_OUTPUT_BYTES }, signal);
    if (code === 0) log.info('the model runtime is installed');
    else log.warn({ reason: stderr.trim().split('\n').at(-1), command }, 'the model runtime is missing');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, command }, 'the model runtime is missing');
  }
}
