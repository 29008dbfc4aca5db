// The call as a curl command. The key is read from the environment.
import { writeJson } from '../form/json-text.ts';
import { shellWord } from './shell.ts';
import { DEFAULT_FILE, type Snippet, type SnippetRequest } from './snippet.ts';

export function curlSnippet(request: SnippetRequest): Snippet {
  const { path, body, baseUrl, operation } = request;
  const lines = [
    `curl -s ${shellWord(`${baseUrl}${path}`)}`,
    '-H "Authorization: Bearer $TRAWL_API_KEY"',
    ...(operation === 'parse' ? formLines(request) : jsonLines(body)),
  ];
  return { text: lines.join(' \\\n  '), missing: [] };
}

const jsonLines = (body: SnippetRequest['body']): string[] => [
  "-H 'Content-Type: application/json'",
  `-d ${shellWord(writeJson(body))}`,
];

function formLines({ body, fileName = DEFAULT_FILE }: SnippetRequest): string[] {
  // In quotation marks, curl reads a comma or a semicolon as part of the name.
  const quoted = `"${fileName.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const options = Object.keys(body).length === 0 ? [] : [`--form-string ${shellWord(`options=${writeJson(body)}`)}`];
  return [`-F ${shellWord(`file=@${quoted}`)}`, ...options];
}
