// The formats that a key may request, wherever a body names formats.
import type { KeyGroup, KeyLimits } from '../../contracts/team/policy.ts';
import type { Asked } from '../asked.ts';
import { restricted } from './refusal.ts';

/** Formats named by a request, or by a stored one. */
export type AskedFormats = Pick<Asked, 'formats' | 'actions' | 'scrapeOptions' | 'targets'>;

/** They return content of the page that no format describes. */
const ACTIONS_WITH_CONTENT: ReadonlySet<string> = new Set(['scrape', 'executeJavascript', 'pdf']);

/** Throws KEY_RESTRICTED. A screenshot taken by an action counts as the format. */
export function checkFormats({ formats: allowed = [] }: KeyLimits, asked: AskedFormats, group?: KeyGroup): void {
  if (allowed.length === 0) return;
  const places = [asked, asked.scrapeOptions, ...(asked.targets ?? []).map(({ scrapeOptions }) => scrapeOptions)];
  const formats = new Set<string>();
  const actions = new Set<string>();
  for (const place of places) {
    for (const { type } of place?.formats ?? []) formats.add(type);
    for (const { type } of place?.actions ?? []) {
      if (type === 'screenshot') formats.add(type);
      else if (ACTIONS_WITH_CONTENT.has(type)) actions.add(type);
    }
  }
  // The default of `scrapeOptions`, of which nothing is in the answer of an extraction.
  if (group === 'extract') formats.delete('markdown');
  const refused = [...formats].filter((type) => !(allowed as readonly string[]).includes(type));
  if (refused.length > 0) throw restricted('formats', allowed, 'formats', refused);
  if (actions.size > 0) throw restricted('formats', allowed, 'actions', [...actions]);
}
