// `npm start -- --help`: how to start it, and every setting with its default.

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
    '  npm run keys -- list              the API keys there are',
    '  npm run keys -- add --team NAME   make one more (the team is optional)',
    '  npm run keys -- revoke PREFIX     end one',
    '',
    'Settings are environment variables; lists are comma separated; [defaults] in brackets:',
    '',
    ...lines,
  ].join('\n');
}
