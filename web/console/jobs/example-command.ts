// The command of an empty state, with a key if this service wants one.
import { me } from '../session/session.ts';
import { curlCommand, jsonBodyOptions } from '../ui/text/curl.ts';

export function exampleCommand(path: string, json: string): string {
  const key = me.value?.authentication === 'off' ? undefined : '$TRAWL_API_KEY';
  return curlCommand(`${location.origin}${path}`, key, jsonBodyOptions(json));
}
