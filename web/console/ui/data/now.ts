// The time, for what is shown relative to it. It moves every half minute while the tab is visible.
import { signal } from '@preact/signals';

const STEP_MS = 30_000;

export const now = signal(Date.now());

const update = () => {
  if (!document.hidden) now.value = Date.now();
};
setInterval(update, STEP_MS);
document.addEventListener('visibilitychange', update);
