// The peers: programs of others that do the same work. Installed by npm when they are first measured, never by users.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './report.ts';

export const PEERS = join(import.meta.dirname, 'peers');

interface PeerResult {
  pages: number;
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}

export async function runCrawlee(origin: string, count: number, concurrency: number): Promise<Row[]> {
  installPeers();
  const args = [join(PEERS, 'crawlee.mjs'), origin, String(count), String(concurrency)];
  const output = execFileSync(process.execPath, args, {
    cwd: PEERS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pages, seconds, cpuSeconds, peakMb } = JSON.parse(output.trim().split('\n').at(-1)!) as PeerResult;
  if (pages !== count) throw new Error(`The peer made ${pages} of ${count} pages.`);
  return [
    { measure: 'pages a second', value: pages / seconds, unit: '1/s' },
    { measure: 'pages a CPU-second', value: pages / cpuSeconds, unit: '1/s' },
    { measure: 'peak memory', value: peakMb, unit: 'MB' },
  ];
}

export function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8')) as Record<string, object>;
  if (Object.keys(dependencies!).every((name) => existsSync(join(PEERS, 'node_modules', name)))) return;
  console.log('Installing the peers into bench/peers (once) ...');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], {
    cwd: PEERS,
    stdio: 'inherit',
  });
}
