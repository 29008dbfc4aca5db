// The command of an empty state, with a key if this service wants one.
import { curlCommand, jsonBodyOptions } from '../ui/text/curl.ts';
import { me } from './session.ts';

export function exampleCommand(path: string, json: string, method: 'POST' | 'PUT' = 'POST'): string {
  const key = me.value?.authentication === 'off' ? undefined : '$TRAWL_API_KEY';
  return curlCommand(`${location.origin}${path}`, key, [
    ...(method === 'PUT' ? ['-X PUT'] : []),
    ...jsonBodyOptions(json),
  ]);
}
