// Whether existing clients of the v2 interface, and of the wires of other services, work here, unchanged: their own calls against a service beside the small web.
// Fails if a case fails that known-failures.json does not list, or if one passes that it does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXECUTABLE, problem } from '../../test/support/browser/browser.ts';
import { NEEDS_SANDBOX } from '../../test/support/sandbox.ts';
import { fetchPages, startSearchWeb } from '../../test/support/search/search.ts';
import { searchCorpus } from '../../test/support/search/search-corpus.ts';
import { startServiceWith } from '../../test/support/service.ts';
import { NotInstalled } from '../install.ts';
import type { BenchOptions, Row } from '../report.ts';
import { cli } from './cli.ts';
import type { Case, Client, Scene } from './client.ts';
import { exaJs } from './dialects/exa-js.ts';
import { jsSdkV1 } from './dialects/js-v1.ts';
import { libreChat } from './dialects/librechat.ts';
import { mcpSearxng } from './dialects/mcp-searxng.ts';
import { programRequests } from './dialects/programs.ts';
import {
  cohere,
  exaPython,
  langChainBrave,
  langChainJina,
  langChainSearx,
  liteLlm,
  pythonSdkV1,
  tavilyPython,
} from './dialects/python.ts';
import { tavilyJs } from './dialects/tavily-js.ts';
import { jsSdk } from './js-sdk.ts';
import { compareWithKnown, type Outcome, readKnownFailures } from './known.ts';
import { langChainJs } from './langchain.ts';
import { mcpClient, ownEndpoint, ownServer, publicServer } from './mcp/servers.ts';
import { n8n } from './n8n.ts';
import { langChainPython, llamaIndex, pythonSdk } from './python.ts';

const CLIENTS: Client[] = [
  jsSdk('4.24.0'),
  jsSdk('4.25.2'),
  jsSdk('4.42.0'),
  pythonSdk('4.3.7'),
  pythonSdk('4.54.0'),
  cli,
  mcpClient(publicServer),
  mcpClient(ownServer),
  mcpClient(ownEndpoint),
  n8n,
  langChainJs,
  langChainPython,
  llamaIndex,
  jsSdkV1,
  pythonSdkV1,
  langChainSearx,
  langChainBrave,
  langChainJina,
  liteLlm,
  mcpSearxng,
  tavilyPython,
  tavilyJs,
  exaPython,
  exaJs,
  cohere,
  libreChat,
  programRequests,
];

const SITE = [
  { at: 'shelf.test/', title: 'The shelf', text: 'A shelf of herbals.', html: '<a href="/herbal">The herbal</a>' },
  { at: 'shelf.test/herbal', title: 'The herbal', text: 'Lovage is in the herbal, and so is tansy.' },
];

const CASE_MS = 120_000;

export async function clients({ only }: BenchOptions): Promise<Row[]> {
  const chosen = CLIENTS.filter((client) => only === undefined || nameOf(client).includes(only));
  const outcomes: Outcome[] = [];
  const skipped: string[] = [];
  await withScene(async (scene) => {
    for (const client of chosen) {
      try {
        outcomes.push(...(await runClient(client, scene)));
      } catch (error) {
        if (!(error instanceof NotInstalled)) throw error;
        skipped.push(`${nameOf(client)} is skipped, because it could not be installed: ${error.message}`);
      }
    }
  });
  report(outcomes, skipped);
  return chosen.flatMap((client) => rowsOf(nameOf(client), outcomes));
}

const nameOf = ({ name, version }: Client) => `${name} ${version}`;

/** A service beside the small web that has fetched the pages for the searches. */
async function withScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  const pages = [...searchCorpus(Date.now()), ...SITE];
  const home = await mkdtemp(join(tmpdir(), 'trawl-clients-'));
  const web = await startSearchWeb(pages);
  const noBrowser = EXECUTABLE === undefined ? problem : undefined;
  const noSandbox = NEEDS_SANDBOX.skip || undefined;
  const execute: Record<string, string> = noSandbox ? {} : { TRAWL_BROWSER_EXECUTE: 'node, bash, python' };
  const service = await startServiceWith(web, { TRAWL_BROWSER: 'auto', ...execute }, { checkAnswers: false });
  try {
    await fetchPages(service, web, pages);
    await use({ service, web, home, noBrowser, noSandbox });
  } finally {
    await service.stop();
    await web.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function runClient(client: Client, scene: Scene): Promise<Outcome[]> {
  const { cases, close } = await client.open(scene);
  const outcomes: Outcome[] = [];
  try {
    for (const each of cases) outcomes.push({ client: nameOf(client), case: each.name, ...(await runCase(each)) });
  } finally {
    await close?.();
  }
  return outcomes;
}

async function runCase({ skip, run }: Case): Promise<Pick<Outcome, 'state' | 'problem'>> {
  if (skip !== undefined) return { state: 'skipped', problem: skip };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No end within ${CASE_MS / 1000} s.`)), CASE_MS);
  try {
    await Promise.race([run(), late.promise]);
    return { state: 'passed' };
  } catch (error) {
    const { name, message } = error as Error;
    return { state: 'failed', problem: message?.trim().split('\n')[0] || name };
  } finally {
    clearTimeout(timer);
  }
}

function report(outcomes: Outcome[], skipped: string[]): void {
  const known = readKnownFailures();
  const reasonOf = (failed: Outcome) =>
    known.find((entry) => entry.client === failed.client && entry.case === failed.case)?.reason;
  for (const line of skipped) console.log(line);
  for (const outcome of outcomes.filter(({ state }) => state !== 'passed')) {
    console.log(`\n${outcome.client}: ${outcome.case}: ${outcome.state}. ${outcome.problem}`);
    if (outcome.state === 'failed') console.log(`  ${reasonOf(outcome) ?? 'NOT LISTED in known-failures.json.'}`);
  }
  const { unknown, passing, stale } = compareWithKnown(outcomes, known);
  const name = (entry: { client: string; case: string }) => `${entry.client}: ${entry.case}`;
  console.log(`\n${unknown.length} failures are not in known-failures.json. ${unknown.map(name).join('; ')}`);
  for (const entry of passing) console.log(`${name(entry)} passes now. Remove it from known-failures.json.`);
  for (const entry of stale) console.log(`${name(entry)} is no case any more. Remove it from known-failures.json.`);
  if (unknown.length + passing.length + stale.length > 0) process.exitCode = 1;
}

/** A line a client; a client that did not run has no figures. */
function rowsOf(name: string, outcomes: Outcome[]): Row[] {
  const own = outcomes.filter(({ client }) => client === name);
  const states = own.length === 0 ? [] : (['passed', 'failed', 'skipped'] as const);
  const rows: Row[] = states.map((state) => ({
    measure: name,
    system: state,
    value: own.filter((outcome) => outcome.state === state).length,
    unit: 'cases',
  }));
  return rows.length > 0 ? rows : [{ measure: `${name} (not installed)`, system: 'skipped', value: 1, unit: 'client' }];
}
