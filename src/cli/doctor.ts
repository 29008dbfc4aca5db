// `trawl doctor`: what is in order, what is not, and what to do about it. Fails if something has to be mended.
import { parseArgs } from 'node:util';
import type { Finding } from '../store/inspect/finding.ts';
import { UsageError } from './usage-error.ts';

export const DOCTOR_USAGE = 'Usage: trawl doctor [--json] [--network]';

interface DoctorTools {
  examine(options: { network: boolean }): Promise<Finding[]>;
}

const SIGNS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', skipped: '-   ' };

/** Returns the lines to print. */
export async function runDoctor(
  args: string[],
  { examine }: DoctorTools,
): Promise<{ lines: string[]; isWell: boolean }> {
  const { json, network } = parse(args);
  const findings = await examine({ network });
  const isWell = findings.every(({ state }) => state !== 'fail');
  if (json) return { lines: [JSON.stringify({ ok: isWell, checks: findings }, null, 2)], isWell };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, text, todo }) => [
    `${SIGNS[state]}  ${check.padEnd(width)}  ${text}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 8)}${todo}`]),
  ]);
  return {
    lines: [...lines, '', isWell ? 'Nothing has to be mended.' : 'What is marked FAIL has to be mended.'],
    isWell,
  };
}

function parse(args: string[]): { json: boolean; network: boolean } {
  try {
    const options = { json: { type: 'boolean' }, network: { type: 'boolean' } } as const;
    const { json = false, network = false } = parseArgs({ args, options }).values;
    return { json, network };
  } catch {
    throw new UsageError(DOCTOR_USAGE);
  }
}
