// Keeps the keyboard where it was: if the element with the focus goes away or is disabled (a deleted row, a button that
// turned into another), its neighbour takes the focus. Otherwise the reader would start again at the top of the page.

const FOCUSABLE = 'a[href], button:not(:disabled), summary, [tabindex="0"]';

/** An ancestor, and the position of its child that had the focus. */
interface Place {
  parent: Element;
  position: number;
}

export function keepFocus(): void {
  let element: Element | undefined;
  let places: Place[] = [];
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || target === document.body) return;
    element = target;
    places = placesOf(target);
  });
  const observer = new MutationObserver(() => {
    if (!element || (element.isConnected && !element.matches(':disabled'))) return;
    // Browsers take the focus from a disabled button a little later.
    if (document.activeElement !== document.body && document.activeElement !== element) return;
    // What is behind a modal dialog cannot take the focus.
    if (document.querySelector('dialog[open]')) return;
    element = undefined;
    neighbour(places)?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function placesOf(target: Element): Place[] {
  const places: Place[] = [];
  for (let child = target; child.parentElement && child.id !== 'content'; child = child.parentElement) {
    places.push({ parent: child.parentElement, position: [...child.parentElement.children].indexOf(child) });
  }
  return places;
}

/** The nearest thing that takes the focus: what follows the place, what precedes it, then further out. */
function neighbour(places: readonly Place[]): HTMLElement | null {
  for (const { parent, position } of places) {
    if (!parent.isConnected) continue;
    if (parent.id === 'content') break;
    const children = [...parent.children];
    for (const child of [...children.slice(position), ...children.slice(0, position).reverse()]) {
      const found = [child, ...child.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
        (each) => each.matches(FOCUSABLE) && each.checkVisibility(),
      );
      if (found instanceof HTMLElement) return found;
    }
  }
  return document.getElementById('content');
}
