// The keys of the search page: `/` goes to the box, arrows move through the results, Escape goes back to the box.

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

export function moveThroughHits(event: KeyboardEvent, page: HTMLElement, box: HTMLInputElement): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (key === '/' && !isTyping(event)) {
    event.preventDefault();
    box.focus();
    box.select();
    return;
  }
  const links = [...page.querySelectorAll<HTMLElement>('.hit-title a')];
  const at = links.indexOf(target as HTMLElement);
  if (key === 'Escape' && at !== -1) box.focus();
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (target !== box && at === -1) return;
  const next = target === box ? (key === 'ArrowDown' ? 0 : -1) : at + (key === 'ArrowDown' ? 1 : -1);
  // Above the first result is the box.
  const goal = next < 0 ? (target === box ? undefined : box) : links[next];
  if (!goal) return;
  event.preventDefault();
  goal.focus();
  goal.scrollIntoView({ block: 'nearest' });
}
