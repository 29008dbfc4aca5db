// What the running service installs, and what other programs get to know of its environment.
import { oneOf, type Setting, setting } from './rules.ts';

export const INSTALL_SETTINGS = {
  installModels: setting(
    'TRAWL_INSTALL_MODELS',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'Whether the running service of a checkout installs the runtime of its own models (`models/`, with npm) if it is missing: on or off. `redactPII` needs it. The npm package installs nothing: docs/operate/deploying.md.',
  ),
  semantic: setting(
    'TRAWL_SEMANTIC',
    'auto',
    oneOf(['auto', 'on', 'off'], 'auto'),
    'Ranks English pages of the own index also by what they mean (`models/sentences`, about 25 ms of processor time for each page, spent while no pages come in): auto where the runtime of the models is installed, and a search waits up to 150 ms for the meaning of its query; on: searches wait as long as it takes; off: by words alone.',
  ),
  reader: setting(
    'TRAWL_READER',
    'auto',
    oneOf(['auto', 'off'], 'auto'),
    'The reader finds values and answers in the text of pages without a language model (`models/reader`, about 35 ms of processor time for each window of a page that it reads): auto uses it where its runtime is installed; off leaves it out, and rules answer alone.',
  ),
} satisfies Record<string, Setting<unknown>>;

const NPM_NEEDS = /^(PATH|HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_.*|\w+_proxy)$/i;

export interface MachineEnvironment {
  /** The PATH of this machine's programs. */
  searchPath: string;
  /** Where npm is, where it gets packages from, and how it reaches them; none of the service's own settings. */
  npmEnv: Record<string, string>;
}

export const machineEnvironment = (env: NodeJS.ProcessEnv): MachineEnvironment => ({
  searchPath: env.PATH ?? '',
  npmEnv: Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && NPM_NEEDS.test(name) ? [[name, value]] : [])),
  ),
});
