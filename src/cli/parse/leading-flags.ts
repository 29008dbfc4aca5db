// General flags may stand before the command: `trawl --json scrape URL`. They are moved to the end.
import { generalFlags } from './command-flags.ts';

/** Without a command it is `serve`; `--help` and `--version` alone are commands. */
export function leadingFlags(typed: readonly string[]): readonly string[] {
  const withValue = new Set(generalFlags().flatMap(({ name, isSwitch }) => (isSwitch ? [] : [`--${name}`])));
  let at = 0;
  while (at < typed.length && typed[at]!.startsWith('-') && typed[at] !== '--') {
    if (['--version', '-V', '-v'].includes(typed[at]!)) return ['version'];
    at += withValue.has(typed[at]!) ? 2 : 1;
  }
  const before = typed.slice(0, at);
  const rest = typed.slice(at);
  if (rest.length > 0) {
    const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
    return [...rest.slice(0, end), ...before, ...rest.slice(end)];
  }
  return before.some((flag) => flag === '--help' || flag === '-h') ? ['help'] : ['serve', ...before];
}
