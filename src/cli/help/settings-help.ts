// `trawl help settings`: every setting of the service with its default.
import type { DocumentedSetting } from '../local-tools.ts';

export function settingsHelp(settings: readonly DocumentedSetting[]): string {
  const width = Math.max(...settings.map(({ env }) => env.length));
  const lines = settings.map(({ env, doc, shown }) => `  ${env.padEnd(width)}  ${doc} [${shown}]`);
  return [
    'Settings of the service are environment variables. Lists are comma-separated. Defaults are in [brackets].',
    '',
    ...lines,
  ].join('\n');
}
