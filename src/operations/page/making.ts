// How the result of a page is made: the options of the transform, what is remembered of its site, and the key of the result.
import { formatsOf } from '../../contracts/formats/format-traits.ts';
import { passOn } from '../../contracts/scrape/option-traits.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { TransformOptions, TransformResult } from '../../page/page.ts';
import type { SitePrograms } from '../../page/selector-programs.ts';
import { transformKey } from '../../transform/transform-key.ts';
import type { Understander } from '../../understand/understander.ts';
import { changeTrackingOf } from './changes/history-keys.ts';
import { pdfOptions } from './interpret-page.ts';
import { askerOf, mayStore, type PageRequest } from './page-request.ts';
import type { KnownSite, SiteMemories } from './siblings/site-memories.ts';
import { runsPrograms } from './understanding/understand-page.ts';

export interface Making {
  options: TransformOptions;
  site?: KnownSite | undefined;
  /** Programs that may select what the formats ask for. */
  programs?: SitePrograms | undefined;
}

interface Deps {
  siteMemories: Pick<SiteMemories, 'find'>;
  understander: Pick<Understander, 'programsFor'>;
}

/** Pages whose changes are tracked are read alone: what is learnt of their site is no change of theirs. */
export async function prepareMaking({ siteMemories, understander }: Deps, request: PageRequest): Promise<Making> {
  const { url, teamId, options } = request;
  const made = transformOptions(options);
  const isReadAlone = !options.siteMemory || options.zeroDataRetention || changeTrackingOf(options) !== undefined;
  return {
    options: made,
    site: isReadAlone ? undefined : await siteMemories.find(url, teamId),
    programs: runsPrograms(options)
      ? await understander.programsFor(url, options.formats, { asker: askerOf(request), isPrivate: !mayStore(options) })
      : undefined,
  };
}

/** Results whose main content was chosen are made again once more is known of the site. */
export const keyOfResult = (making: Making, outcome: TransformResult): string =>
  isOfSite(outcome) ? siteKey(making) : plainKey(making);

export const siteKey = ({ options, site }: Making): string =>
  transformKey(site && choosesContent(options) ? { ...options, siteLevel: site.level } : options);

/** Files, for example, are the same whatever is known of their site. */
export const plainKey = ({ options }: Making): string => transformKey(options);

export const isOfSite = ({ quality }: TransformResult): boolean => quality !== undefined;

const choosesContent = ({ onlyMainContent, includeTags }: TransformOptions): boolean =>
  onlyMainContent && includeTags.length === 0;

export function transformOptions(options: ScrapeOptions): TransformOptions {
  const requested = new Set<string>(options.formats.map((format) => format.type));
  const attributes = options.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []));
  const pdf = pdfOptions(options.parsers);
  return {
    formats: formatsOf('transform')
      .filter((format) => requested.has(format))
      .sort(),
    ...(attributes.length > 0 && { attributes }),
    ...passOn('transform', options),
    ...(pdf !== undefined && { pdf }),
  };
}
