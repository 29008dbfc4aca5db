// What the console keeps in this browser. All but the theme belongs to the person who is logged in.

export const THEME = 'trawl.theme';
export const RECENT_REQUESTS = 'trawl.playground.recent';

/** Storage may be forbidden or full; then nothing is kept. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {}
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {}
}
