// `npm start -- --help`: the commands, and every setting with its default.

interface DocumentedSetting {
  env: string;
  doc: string;
  shown: string;
}

export function helpText(settings: DocumentedSetting[]): string {
  const width = Math.max(...settings.map(({ env }) => env.length));
  const lines = settings.map(({ env, doc, shown }) => `  ${env.padEnd(width)}  ${doc} [${shown}]`);
  return [
    'Trawl: the web for programs.',
    '',
    '  npm start                         start the service',
    '  npm run keys -- list              list the API keys',
    '  npm run keys -- add --team NAME   create a key (the team is optional)',
    '  npm run keys -- revoke PREFIX     revoke a key',
    '  npm run keys -- help              limits, rotation, teams',
    '  npm run doctor                    check everything, and say what to mend (--json, --network)',
    '  npm run backup -- DIR             copy the data folder, also while the service runs (--copy: no hard links)',
    '  npm run restore -- DIR            make the data folder from a backup',
    '',
    'Settings are environment variables. Lists are comma-separated. Defaults are in [brackets].',
    '',
    ...lines,
  ].join('\n');
}
