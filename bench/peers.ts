// Runs the peers: other programs for the same task. npm installs them when they are first needed; users never do.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Row } from './report.ts';

export const PEERS = join(import.meta.dirname, 'peers');

/** The line that a peer prints at the end. */
interface PeerResult {
  /** Pages converted, or URLs found. */
  count: number;
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}

/** Runs a script in the folder of peers. Fails if its result is below `count`. */
export function runPeer(script: string, args: (string | number)[], count: number): PeerResult {
  installPeers();
  const output = execFileSync(process.execPath, [join(PEERS, script), ...args.map(String)], {
    cwd: PEERS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const result = JSON.parse(output.trim().split('\n').at(-1)!) as PeerResult;
  if (result.count < count) throw new Error(`The peer finished ${result.count} of ${count}.`);
  return result;
}

export const pageRows = ({ count, seconds, cpuSeconds, peakMb }: PeerResult): Row[] => [
  { measure: 'pages a second', value: count / seconds, unit: '1/s' },
  { measure: 'pages a CPU-second', value: count / cpuSeconds, unit: '1/s' },
  { measure: 'peak memory', value: peakMb, unit: 'MB' },
];

/** Our figures, those of the peer, and the ratio of the rates. */
export function compareWithPeer(ours: Row[], peer: string, theirs: Row[], aims: Record<string, string> = {}): Row[] {
  const ratios = theirs
    .filter(({ unit }) => unit === '1/s')
    .map(({ measure, value }) => ({
      measure: `Trawl : ${peer}, ${measure}`,
      value: ours.find((row) => row.measure === measure)!.value / value,
      unit: 'times',
      ...(aims[measure] && { aim: aims[measure] }),
    }));
  return [...ours, ...theirs.map((row) => ({ ...row, measure: `${peer}: ${row.measure}` })), ...ratios];
}

/** Installs the packages of their package.json, unless they are installed. */
export function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8')) as Record<string, object>;
  if (Object.keys(dependencies!).every((name) => existsSync(join(PEERS, 'node_modules', name)))) return;
  console.log(`Installing the peers into ${relative(process.cwd(), PEERS)} (once) ...`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], {
    cwd: PEERS,
    stdio: 'inherit',
  });
}
