// `trawl doctor`: what is in order, what is not, and what to do about it. Fails if something has to be mended.
import type { InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import type { CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { noMoreThan } from '../../parse/count-arguments.ts';

const SIGNS: Readonly<Record<InspectionFinding['state'], string>> = {
  ok: 'ok  ',
  warn: 'warn',
  fail: 'FAIL',
  skipped: '-   ',
};

export const doctor: CommandBody = {
  flags: { network: { type: 'boolean', text: 'Also ask search providers, language models and the mail server.' } },
  examples: ['trawl doctor', 'trawl doctor --network --json'],
  async run({ args, flags, local, screen }) {
    noMoreThan(0, args, 'trawl doctor [--json] [--network]');
    const findings = await local.examine({ network: flags.network === true });
    const isWell = findings.every(({ state }) => state !== 'fail');
    screen.print(screen.json ? JSON.stringify({ ok: isWell, checks: findings }, null, 2) : report(findings, isWell));
    return isWell ? EXIT.ok : EXIT.failed;
  },
};

function report(findings: readonly InspectionFinding[], isWell: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, text, todo }) => [
    `${SIGNS[state]}  ${check.padEnd(width)}  ${text}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 8)}${todo}`]),
  ]);
  return [...lines, '', isWell ? 'Nothing has to be mended.' : 'What is marked FAIL has to be mended.'].join('\n');
}
