// Runs npm for the set-up scripts: with the settings of this machine, but without those that change what is installed.
// Runs before anything is installed, so it has no dependencies and runs on Node 18.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** One sentence for the user. */
export class SetupError extends Error {}

/** For every install. By default, npm waits more than a minute before it reports that there is no network. */
export const NPM_OPTIONS = [
  // Everything works without them: native parts are packages of their own. That of onnxruntime-node would download libraries
  // for graphics cards.
  '--ignore-scripts',
  ...['--no-audit', '--no-fund', '--loglevel=error'],
  ...['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
];

/** Runs npm in `folder`. Returns its exit code and its messages. */
export function runNpm(folder, args) {
  const [command, ...before] = npmCommand();
  const child = spawn(command, [...before, ...args], {
    cwd: folder,
    env: npmEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let interrupted = false;
  const stop = (signal) => {
    interrupted = true;
    child.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(new SetupError('Set-up failed: npm was not found. Install npm and run the same command again.')),
    );
    child.on('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (interrupted) reject(new SetupError('Set-up was interrupted. The next start will continue it.'));
      else resolve({ code, errors });
    });
  });
}

/** The code of the network's failure in npm's messages, if that is why it failed. */
export const networkFailure = (errors) =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/.exec(errors)?.[0];

/** Why npm failed, in its own words. */
export const npmReason = ({ code, errors }) =>
  /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(errors)?.[1] ?? `npm ended with ${code}`;

/** The npm and the Node that run this script, since the Node in node_modules is about to be replaced. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node && basename(npm) === 'npm-cli.js' && existsSync(npm) && existsSync(node)) return [node, npm];
  return ['npm'];
}

/** npm passes its settings to scripts. Keeps those about where packages come from, drops those about what is installed. */
function npmEnvironment() {
  const kept =
    /^npm_config_(registry|.*proxy|ca|cafile|strict_ssl|cache|userconfig|globalconfig|offline|prefer_offline|fetch_timeout|_.*|\/\/.*|@.*)$/i;
  const ours = ([name]) => (/^npm_/i.test(name) ? kept.test(name) : name !== 'NODE_ENV' && name !== 'INIT_CWD');
  const env = Object.fromEntries(Object.entries(process.env).filter(ours));
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter);
  return env;
}
