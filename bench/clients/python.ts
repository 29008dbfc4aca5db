// The public Python SDK, and the loaders of LangChain and LlamaIndex for Python. One Python process runs all cases of one.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pythonSdk as preparedPython } from '../../scripts/python-sdk.mjs';
import { installPip, NotInstalled, SHORT_INSTALL_MS } from '../install.ts';
import { addresses, type Case, type Client, clientFolder, type Scene, UPLOAD_HTML } from './client.ts';

const DRIVER = join(import.meta.dirname, 'python/cases.py');
const LONGEST_MS = 300_000;
/** The version that the set-up prepares for the tests, in an environment of its own. */
const PREPARED = '4.54.0';

export const pythonSdk = (version: string): Client => ({
  name: 'Python SDK',
  version,
  open: (scene) => openPython('sdk', pythonWith(version), scene),
});

export const langChainPython: Client = {
  name: 'LangChain Python',
  version: '0.1.0',
  open: (scene) =>
    openPython('langchain', installPip(clientFolder('langchain-python'), ['langchain-firecrawl==0.1.0']), scene),
};

export const llamaIndex: Client = {
  name: 'LlamaIndex',
  version: '0.7.0',
  open: (scene) =>
    openPython(
      'llama-index',
      installPip(clientFolder('llama-index'), ['llama-index-readers-web==0.7.0', 'firecrawl-py'], SHORT_INSTALL_MS),
      scene,
    ),
};

export function pythonWith(version: string): string {
  if (version !== PREPARED) return installPip(clientFolder(`firecrawl-py-${version}`), [`firecrawl-py==${version}`]);
  const python = preparedPython();
  if (python === undefined) throw new NotInstalled('the set-up could not install it');
  return python;
}

export async function openPython(what: string, python: string, scene: Scene): Promise<{ cases: Case[] }> {
  const driver = spawn(python, ['-B', DRIVER, what], { timeout: LONGEST_MS, cwd: scene.home });
  driver.stdin.end(
    JSON.stringify({
      ...addresses(scene.web),
      url: scene.service.url,
      key: scene.service.key,
      related: scene.web.url('orchard.test'),
      stalled: scene.web.url('fault.test', '/stalled-headers'),
      upload: UPLOAD_HTML,
      noBrowser: scene.noBrowser,
      noSandbox: scene.noSandbox,
    }),
  );
  const ended = new Promise<number | null>((resolve) => driver.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(driver.stdout), text(driver.stderr), ended]);
  const cases = stdout.split('\n').filter(Boolean).map(readCase);
  // Without this case, a driver that ends early would look like a client with few cases.
  const whole = { name: 'runs to its end', run: async () => failIf(code !== 0 && stderr.trim().split('\n').at(-1)) };
  return { cases: [...cases, whole] };
}

function readCase(line: string): Case {
  const { name, error, skip } = JSON.parse(line) as { name: string; error?: string; skip?: string };
  return { name, skip, run: async () => failIf(error ?? false) };
}

function failIf(problem: string | false | undefined): void {
  if (problem !== false) throw new Error(problem ?? 'The driver failed.');
}
