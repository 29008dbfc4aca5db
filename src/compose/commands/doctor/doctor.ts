// Checks everything that the service needs on this machine, for `trawl doctor`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/settings.ts';
import { runtimeProblem } from '../../../encoders/model-runtime/model-runtime.ts';
import { findBrowser } from '../../../fetch/browser/process/find-browser.ts';
import { findTools } from '../../../media/tools/find-tools.ts';
import { canResolveNames } from '../../../net/addresses/resolver.ts';
import { findOcrTools } from '../../../parse/ocr/engine/ocr-tools.ts';
import { webSearchers } from '../../../search/federation/choose-providers.ts';
import { isFolderInUse } from '../../../store/data-folder/folder-lock.ts';
import type { InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import { inspectFolder } from '../../../store/tools/inspect/inspect-folder.ts';
import { raceTimeout } from '../../../util/abort.ts';
import { systemClock } from '../../../util/clock.ts';
import { confinementProblems } from '../../confinement.ts';
import { languageModels } from './ask-models.ts';
import { askProviders } from './ask-providers.ts';
import { engines } from './engines.ts';
import { tryMail } from './try-mail.ts';

const NAMES_MS = 5_000;
const NEEDED_NODE = 24;

export async function examine(config: Config, { network }: { network: boolean }): Promise<InspectionFinding[]> {
  const { dataDir, minFreeBytes, databaseUrl, indexUrl } = config;
  const isElsewhere = { store: databaseUrl !== undefined, index: indexUrl !== undefined };
  return [
    nodeVersion(),
    inUse(dataDir),
    ...inspectFolder({ dataDir, minFreeBytes, now: systemClock.now(), isElsewhere }),
    ...(await engines(config)),
    browser(config),
    await ocr(config),
    media(config),
    models(config),
    ...(await languageModels(config, network)),
    await tryMail(config, network),
    ...(await confinement(config)),
    providers(config, network),
    ...(network ? await askProviders(config) : []),
    await names(config, network),
  ];
}

function nodeVersion(): InspectionFinding {
  const isNew = Number(process.versions.node.split('.')[0]) >= NEEDED_NODE;
  const text = `Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
  if (isNew) return { check: 'versions', state: 'ok', text };
  return { check: 'versions', state: 'fail', text, todo: `Use Node ${NEEDED_NODE} or newer.` };
}

const inUse = (dataDir: string): InspectionFinding => ({
  check: 'service',
  state: 'ok',
  text: isFolderInUse(dataDir) ? 'a service is using the data folder' : 'no service is using the data folder',
});

/** A part that is switched off or set to a file does not count as missing. */
const withHint = (text: string, program: SystemProgram, setting: string): string =>
  setting === 'auto' ? `${text} ${installHint(program)}` : text;

function browser(config: Config): InspectionFinding {
  const { executable, problem } = findBrowser(config);
  if (executable) return { check: 'browser', state: 'ok', text: executable };
  return {
    check: 'browser',
    state: 'warn',
    text: problem!,
    todo: withHint('Without one, pages are read without their scripts.', 'browser', config.browser),
  };
}

async function ocr({ ocr: program, ocrLanguages: languages, ffmpeg, searchPath }: Config): Promise<InspectionFinding> {
  const found = await findOcrTools({ program, languages, ffmpeg, searchPath });
  if (typeof found !== 'string') return { check: 'OCR', state: 'ok', text: 'pictures and scans can be read' };
  const todo = withHint('Without it, pictures and scanned pages have no text.', 'tesseract', program);
  return { check: 'OCR', state: 'warn', text: found, todo };
}

function media(config: Config): InspectionFinding {
  const { tools, problem } = findTools(config);
  if (tools) return { check: 'media', state: 'ok', text: tools.ffmpeg };
  const todo = withHint('Only the formats `audio` and `video` need it.', 'ffmpeg', config.ffmpeg);
  return { check: 'media', state: 'warn', text: problem!, todo };
}

function models({ reader }: Config): InspectionFinding {
  const problem = runtimeProblem();
  const isOff = reader === 'off' ? '; the reader is off (TRAWL_READER)' : '';
  if (problem === undefined) return { check: 'models', state: 'ok', text: `the model runtime is installed${isOff}` };
  const todo =
    '`redactPII` with the modes `accurate` and `aggressive` needs it, `/v2/rerank`, searches by meaning, and the reader, without which rules fill `json` alone.';
  return { check: 'models', state: 'warn', text: `${problem}${isOff}`, todo };
}

async function confinement(config: Config): Promise<InspectionFinding[]> {
  const problems = await confinementProblems(config);
  if (problems.length === 0) return [{ check: 'confinement', state: 'ok', text: 'parsers run in a sandbox' }];
  return problems.map((text) => ({
    check: 'confinement',
    state: 'warn',
    text,
    todo: `See SECURITY.md. ${installHint('sandbox')}`,
  }));
}

function providers({ searchProviders }: Config, areAsked: boolean): InspectionFinding {
  const { names: asked, hasOwn } = webSearchers(searchProviders);
  const hint = areAsked ? '' : ' (not tried; --network asks them)';
  const text = `searches are answered by: ${asked.join(', ') || 'nobody'}${hint}`;
  if (hasOwn) return { check: 'providers', state: 'ok', text };
  const todo = "Set a provider's key for better results: docs/use/search.md.";
  return { check: 'providers', state: 'warn', text, todo };
}

async function names(config: Config, isWanted: boolean): Promise<InspectionFinding> {
  if (!isWanted) return { check: 'network', state: 'skipped', text: 'not tried; --network resolves a name' };
  if (config.proxy.length > 0) return { check: 'network', state: 'skipped', text: 'a proxy resolves the names' };
  const works = await raceTimeout(canResolveNames(config.dns), NAMES_MS, () => false);
  if (works) return { check: 'network', state: 'ok', text: 'names can be resolved' };
  return { check: 'network', state: 'warn', text: 'no name can be resolved', todo: 'Check the network and TRAWL_DNS.' };
}

const PACKAGES = join(import.meta.dirname, '../../../../data/system-packages.json');

type SystemProgram = 'browser' | 'sandbox' | 'tesseract' | 'ffmpeg';

/** How an operator installs a program: the Debian packages that `npm start` installs as root. */
function installHint(program: SystemProgram): string {
  const packages = JSON.parse(readFileSync(PACKAGES, 'utf8')) as Record<SystemProgram, string[]>;
  return `On Debian: apt-get install ${packages[program].join(' ')}`;
}
