// The call as a curl command. The key is read from the environment.
import { curlCommand, jsonBodyOptions } from '../../ui/text/curl.ts';
import { shellWord } from '../../ui/text/shell-word.ts';
import { writeJson } from '../form/json-text.ts';
import { DEFAULT_FILE, type Snippet, type SnippetRequest } from './snippet.ts';

export function curlSnippet(request: SnippetRequest): Snippet {
  const { path, body, baseUrl, operation, isOpen } = request;
  const options = operation === 'parse' ? formOptions(request) : jsonBodyOptions(writeJson(body));
  const key = isOpen ? undefined : '$TRAWL_API_KEY';
  return { text: curlCommand(`${baseUrl}${path}`, key, options), missing: [] };
}

function formOptions({ body, fileName = DEFAULT_FILE }: SnippetRequest): string[] {
  // In quotation marks, curl reads a comma or a semicolon as part of the name.
  const quoted = `"${fileName.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const options = Object.keys(body).length === 0 ? [] : [`--form-string ${shellWord(`options=${writeJson(body)}`)}`];
  return [`-F ${shellWord(`file=@${quoted}`)}`, ...options];
}
