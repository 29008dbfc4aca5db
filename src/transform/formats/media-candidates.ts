// The audio and video of a page: its JSON-LD, its players, its meta tags, its enclosures and links.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { MediaCandidate, MediaFormat } from '../../page/media.ts';
import type { PageMetadata } from '../../page/page.ts';
import { jsonLdMedia } from './media-json-ld.ts';

const MAX_CANDIDATES = 50;
const MEDIA_NAME = /\.(mp4|m4v|mov|webm|mkv|ogv|m3u8|mpd|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i;
const AUDIO_NAME = /^(?:mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i;
const PLAYER_TYPES = /^(?:text\/|application\/(?:x-shockwave-flash|xhtml))/;

/** Most likely first: JSON-LD, then players, then Open Graph and Twitter tags, then links, background videos last. */
export function mediaCandidates(tree: HtmlTree, urls: PageUrls, metadata: PageMetadata): MediaCandidate[] {
  const players = playersOf(tree, urls);
  const all = [
    ...jsonLdMedia(tree, urls),
    ...players.filter(({ isBackground }) => !isBackground).map(({ candidate }) => candidate),
    ...announced(metadata, urls),
    ...linked(tree, urls),
    ...players.filter(({ isBackground }) => isBackground).map(({ candidate }) => candidate),
  ];
  const seen = new Set<string>();
  const kept = all.filter(({ url }) => {
    const isNew = /^https?:/.test(url) && !seen.has(url);
    seen.add(url);
    return isNew;
  });
  return kept.slice(0, MAX_CANDIDATES);
}

interface Player {
  candidate: MediaCandidate;
  /** A decorative loop without sound and controls. */
  isBackground: boolean;
}

function playersOf(tree: HtmlTree, urls: PageUrls): Player[] {
  const players: Player[] = [];
  for (let node = 1; node < tree.size && players.length < MAX_CANDIDATES; node++) {
    const tag = tree.tag[node]!;
    if (tag !== TAG.video && tag !== TAG.audio) continue;
    const read = (name: string) => tree.attribute(node, name);
    const isBackground = read('loop') !== undefined && read('muted') !== undefined && read('controls') === undefined;
    const common: Omit<MediaCandidate, 'url'> = {
      source: 'element',
      kind: tag === TAG.video ? 'video' : 'audio',
      ...facts({
        title: read('title') ?? read('aria-label'),
        thumbnail: urls.resolve(read('poster')),
        width: Number(read('width')) || undefined,
        height: Number(read('height')) || undefined,
      }),
    };
    for (const { src, type } of sourcesOf(tree, node)) {
      const url = urls.resolve(src);
      if (url !== undefined)
        players.push({ candidate: { ...common, url, ...facts({ mimeType: type }) }, isBackground });
    }
  }
  return players;
}

function sourcesOf(tree: HtmlTree, player: number): { src?: string; type?: string }[] {
  const read = (node: number) => ({
    src: tree.attribute(node, 'src') ?? tree.attribute(node, 'data-src'),
    type: tree.attribute(node, 'type'),
  });
  const sources = [read(player)];
  for (let node = player + 1; node < tree.end[player]!; node++) {
    if (tree.tag[node] === TAG.source) sources.push(read(node));
  }
  return sources.filter(({ src }) => src !== undefined && src.trim() !== '');
}

/** Open Graph and Twitter tags, except those that point to a player page. */
function announced(metadata: PageMetadata, urls: PageUrls): MediaCandidate[] {
  const values = (name: string) => [metadata[name] ?? []].flat();
  const read = (source: 'open-graph' | 'twitter', kind: MediaFormat, names: string[], typeName: string) => {
    const [mimeType] = values(typeName);
    if (mimeType !== undefined && PLAYER_TYPES.test(mimeType.trim().toLowerCase())) return [];
    return names.flatMap(values).flatMap((value): MediaCandidate[] => {
      const url = urls.resolve(value);
      const title = values('og:title')[0];
      return url === undefined ? [] : [{ url, source, kind, ...facts({ mimeType, title }) }];
    });
  };
  const graph = (name: string) => [`og:${name}:secure_url`, `og:${name}:url`, `og:${name}`];
  return [
    ...read('open-graph', 'video', graph('video'), 'og:video:type'),
    ...read('open-graph', 'audio', graph('audio'), 'og:audio:type'),
    ...read('twitter', 'video', ['twitter:player:stream'], 'twitter:player:stream:content_type'),
  ];
}

/** Enclosures, then links to media files by extension. */
function linked(tree: HtmlTree, urls: PageUrls): MediaCandidate[] {
  const enclosures: MediaCandidate[] = [];
  const links: MediaCandidate[] = [];
  for (let node = 1; node < tree.size && enclosures.length + links.length < MAX_CANDIDATES; node++) {
    if (tree.tag[node] !== TAG.link && tree.tag[node] !== TAG.a) continue;
    const href = tree.attribute(node, 'href');
    const isEnclosure = /(?:^|\s)enclosure(?:\s|$)/i.test(tree.attribute(node, 'rel') ?? '');
    if (href === undefined || !(isEnclosure || (tree.tag[node] === TAG.a && MEDIA_NAME.test(pathOf(href))))) continue;
    const url = urls.resolve(href);
    const mimeType = tree.attribute(node, 'type');
    if (url === undefined) continue;
    const kind = kindOf(mimeType, url);
    if (isEnclosure) enclosures.push({ url, source: 'enclosure', ...facts({ kind, mimeType }) });
    else links.push({ url, source: 'link', ...facts({ kind }) });
  }
  return [...enclosures, ...links];
}

const pathOf = (href: string): string => href.split(/[?#]/, 1)[0]!.trim();

function kindOf(mimeType: string | undefined, url: string): MediaFormat | undefined {
  const declared = /^(audio|video)\//i.exec(mimeType ?? '')?.[1]?.toLowerCase();
  if (declared !== undefined) return declared as MediaFormat;
  const ending = MEDIA_NAME.exec(pathOf(url))?.[1];
  return ending === undefined ? undefined : AUDIO_NAME.test(ending) ? 'audio' : 'video';
}

/** Leaves out values that are undefined or empty. */
function facts<T extends Record<string, unknown>>(known: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== '')) as never;
}
