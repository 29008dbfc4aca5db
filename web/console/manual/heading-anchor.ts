// Anchors of headings as GitHub makes them, which the links of the manual use. Rendered Markdown has no ids of its own: those
// of a page from the web could pretend to be ours.

const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The heading below `root` that a fragment such as `#what-teams-share` names. */
export const headingAt = (root: Element, fragment: string): Element | undefined =>
  [...root.querySelectorAll('h3, h4, h5, h6')].find((each) => `#${anchorOf(each.textContent ?? '')}` === fragment);
