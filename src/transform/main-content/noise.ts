// Is this element part of the page's furniture rather than of its content? Tags, roles, hiding and names decide.
import { isHeading, TAG, tagSet } from '../html/tags.ts';
import type { HtmlTree } from '../html/tree.ts';
import { ADVERT, CHROME, COMMENTS, createNameReader } from './names.ts';

/**
 * How sure the sign is. `certain` noise goes whatever it holds; `likely` noise unless it is a large part of the page;
 * `possible` noise only if it holds no prose either; `comments` where there is something that they comment on.
 */
export type Noise = 'certain' | 'likely' | 'possible' | 'comments' | undefined;

export type NoiseTest = (node: number) => Noise;

const ROLES =
  /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tooltip|alert)$/i;
const NOT_SHOWN = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const isControl = tagSet('select textarea input datalist progress meter keygen');
const isFurniture = tagSet('nav footer aside dialog menu');
// Names on these say something about the page, not about a part of it.
const isWhole = tagSet('html body main article');

export function createNoiseTest(tree: HtmlTree, blockAds: boolean): NoiseTest {
  const readNames = createNameReader();
  const unwanted = CHROME | (blockAds ? ADVERT : 0);
  return (node) => {
    const tag = tree.tag[node]!;
    if (isControl(tag)) return 'certain';
    // Accordions put a button around the text of a heading.
    if (tag === TAG.button) return isHeading(tree.tag[tree.parent[node]!]!) ? undefined : 'certain';
    if (isHidden(tree, node)) return 'possible';
    if (isFurniture(tag) || ROLES.test(tree.attribute(node, 'role') ?? '')) return 'likely';
    if (isWhole(tag)) return undefined;
    if (tag === TAG.header && !holdsHeading(tree, node)) return 'likely';
    if (tag === TAG.form) return 'possible';
    const names = readNames(tree.attribute(node, 'class') ?? '') | readNames(tree.attribute(node, 'id') ?? '');
    if ((names & COMMENTS) !== 0) return 'comments';
    return (names & unwanted) !== 0 ? 'possible' : undefined;
  };
}

/** The header of an article carries its title; the header of a site carries menus. */
function holdsHeading(tree: HtmlTree, header: number): boolean {
  for (let node = header + 1; node < tree.end[header]!; node++) if (isHeading(tree.tag[node]!)) return true;
  return false;
}

function isHidden(tree: HtmlTree, node: number): boolean {
  const hidden = tree.attribute(node, 'hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  if (tree.attribute(node, 'aria-hidden')?.toLowerCase() === 'true') return true;
  const style = tree.attribute(node, 'style');
  return style !== undefined && NOT_SHOWN.test(style);
}
