// Finds blocks of a page that repeat with the same structure: siblings with the same tag and class, such as the cards of a
// list. Counts come from prefix sums, so that the whole search is linear.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';

const MIN_BLOCKS = 3;
const MIN_ITEMS = 2;
const MAX_GROUPS = 20;
const MAX_BLOCKS = 500;
const MAX_CLASSES = 12;
/** Longer blocks are sections of a text rather than records. */
const LONG = 1_500;
const LONG_WEIGHT = 0.2;
const MAX_PARTS = 6;
const NESTED_WEIGHT = 0.5;
// Lists of links to other parts of the site.
const isNavigation = tagSet('nav footer');
const isItem = tagSet('li article tr');
const isNeverRecord = tagSet(
  'td th option dt dd p br hr h1 h2 h3 h4 h5 h6 thead tbody tfoot colgroup col source input',
);

/** Groups of blocks in document order, the group with most records first. Data tables are read elsewhere. */
export function repeatedBlocks(tree: HtmlTree, mask: Mask, dataTables: ReadonlySet<number>): number[][] {
  const children = visibleChildren(tree, mask, dataTables);
  const sums = partSums(tree, mask);
  const classNumber = tree.attributeNumber('class');
  const groups = new Map<string, number[]>();
  const keys = new Map<number, string>();
  /** The kinds of parents that have few blocks, by the path of those. */
  const parts = new Map<string, Set<string>>();
  for (const [parent, nodes] of children) {
    const keyed = keysOf(tree, nodes, classNumber);
    for (const [node, key] of keyed) keys.set(node, key);
    for (const [key, members] of Map.groupBy(nodes, (node) => keyed.get(node)!)) {
      if (isNeverRecord(tree.tag[members[0]!]!)) continue;
      const records = members.filter((node) => isRecord(tree, sums, node));
      if (records.length * 2 < members.length) continue;
      // Rows of cards are one list: the same place below parents of the same kind, or of the same tag if they are few.
      const above = tree.parent[parent]!;
      const isFew = records.length < MIN_ITEMS || !isList(tree, sums, members, key);
      const path = isFew
        ? `${tree.tagName(above)}>${tree.tagName(parent)}>${key}`
        : `${keys.get(above) ?? ''}>${keys.get(parent) ?? ''}>${key}`;
      const known = groups.get(path) ?? [];
      groups.set(path, known.concat(records.slice(0, MAX_BLOCKS - known.length)));
      if (isFew) parts.set(path, (parts.get(path) ?? new Set()).add(keys.get(parent) ?? ''));
    }
  }
  dropParts(tree, sums, groups, parts);
  return ranked(tree, sums, [...groups.values()]);
}

/** Single blocks below parents of one kind are parts of what repeats. */
function dropParts(
  tree: HtmlTree,
  sums: PartSums,
  groups: Map<string, number[]>,
  parts: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [path, kinds] of parts) {
    const key = path.slice(path.lastIndexOf('>') + 1);
    if (kinds.size < 2 || !isList(tree, sums, groups.get(path)!, key)) groups.delete(path);
  }
}

/** Two blocks are a list if they share a class or are items by their tag. */
function isList(tree: HtmlTree, sums: PartSums, members: readonly number[], key: string): boolean {
  const hasClass = /\.[^/]/.test(key) && members.every((node) => within(sums.texts, tree, node) >= MIN_BLOCKS);
  return members.length >= (hasClass || isItem(tree.tag[members[0]!]!) ? MIN_ITEMS : MIN_BLOCKS);
}

/** Parents come before their children. */
function visibleChildren(tree: HtmlTree, mask: Mask, dataTables: ReadonlySet<number>): Map<number, number[]> {
  const children = new Map<number, number[]>();
  const role = tree.attributeNumber('role');
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const isSkipped =
      mask[node] === DROPPED ||
      isNavigation(tree.tag[node]!) ||
      dataTables.has(node) ||
      tree.attributeAt(node, role) === 'navigation';
    if (isSkipped) {
      node = tree.end[node]! - 1;
      continue;
    }
    const parent = tree.parent[node]!;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  return children;
}

interface PartSums {
  /** Up to each node: visible texts, their characters, links and images. */
  texts: Int32Array;
  chars: Float64Array;
  links: Int32Array;
  images: Int32Array;
}

function partSums(tree: HtmlTree, mask: Mask): PartSums {
  const size = tree.size + 1;
  const sums: PartSums = {
    texts: new Int32Array(size),
    chars: new Float64Array(size),
    links: new Int32Array(size),
    images: new Int32Array(size),
  };
  for (let node = 0; node < tree.size; node++) {
    const isKept = mask[node] !== DROPPED;
    const isText = isKept && tree.kind[node] === TEXT && !tree.isBlank(node);
    const tag = isKept ? tree.tag[node] : 0;
    sums.texts[node + 1] = sums.texts[node]! + Number(isText);
    sums.chars[node + 1] = sums.chars[node]! + (isText ? tree.text(node).length : 0);
    sums.links[node + 1] = sums.links[node]! + Number(tag === TAG.a);
    sums.images[node + 1] = sums.images[node]! + Number(tag === TAG.img);
  }
  return sums;
}

const within = (sums: Int32Array | Float64Array, tree: HtmlTree, node: number): number =>
  sums[tree.end[node]!]! - sums[node]!;

/** Two texts, or a text with an image: a single link or word is an entry of a menu. */
function isRecord(tree: HtmlTree, sums: PartSums, node: number): boolean {
  const texts = within(sums.texts, tree, node);
  return texts >= 2 || (texts === 1 && within(sums.images, tree, node) > 0);
}

/** The tag and the class that most siblings share; without classes, the tag and that of the first child. */
function keysOf(tree: HtmlTree, nodes: readonly number[], classNumber: number): Map<number, string> {
  const classes = nodes.map((node) =>
    (tree.attributeAt(node, classNumber) ?? '')
      .slice(0, 500)
      .split(/\s+/, MAX_CLASSES)
      .filter((name) => name !== ''),
  );
  const counts = new Map<string, number>();
  for (const names of classes) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    nodes.map((node, index) => {
      let best = '';
      for (const name of classes[index]!) if ((counts.get(name) ?? 0) > (counts.get(best) ?? 0)) best = name;
      const child = node + 1 < tree.end[node]! && tree.kind[node + 1] === ELEMENT ? tree.tag[node + 1]! : 0;
      const shape = best === '' && !isItem(tree.tag[node]!) ? `/${child}` : '';
      return [node, `${tree.tagName(node)}.${best}${shape}`];
    }),
  );
}

function ranked(tree: HtmlTree, sums: PartSums, groups: number[][]): number[][] {
  const scored = groups
    .filter((nodes) => nodes.length >= MIN_ITEMS)
    .map((nodes) => {
      const mean = (values: Int32Array | Float64Array) =>
        nodes.reduce((sum, node) => sum + within(values, tree, node), 0) / nodes.length;
      const parts = Math.min(
        mean(sums.texts) + Math.min(mean(sums.images), 1) + Math.min(mean(sums.links), 1),
        MAX_PARTS,
      );
      const weight = mean(sums.chars) > LONG ? LONG_WEIGHT : 1;
      return { nodes, score: nodes.length * parts * weight };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, 4 * MAX_GROUPS);
  // Blocks that repeat inside the records of a better list are parts of those records.
  const covered = new Uint8Array(tree.size);
  for (const entry of scored) {
    if (covered[entry.nodes[0]!] === 1) entry.score *= NESTED_WEIGHT;
    else for (const node of entry.nodes) covered.fill(1, node, tree.end[node]!);
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_GROUPS)
    .map(({ nodes }) => nodes.slice(0, MAX_BLOCKS).sort((a, b) => a - b));
}
