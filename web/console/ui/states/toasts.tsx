// Short messages in a corner, read out by screen readers. They leave by themselves; problems stay until they are closed.
import { signal } from '@preact/signals';

type Tone = 'good' | 'bad';

interface Toast {
  id: number;
  text: string;
  tone: Tone;
}

const STAY_MS = 5_000;
const MOST = 4;

const shown = signal<readonly Toast[]>([]);
let lastId = 0;

/** A message that is still shown appears anew, not twice: several parts of a page may notice the same thing. */
export function toast(text: string, tone: Tone = 'good'): void {
  const id = ++lastId;
  shown.value = [...shown.value.filter((each) => each.text !== text), { id, text, tone }].slice(-MOST);
  if (tone === 'good') setTimeout(() => close(id), STAY_MS);
}

const close = (id: number): void => {
  shown.value = shown.value.filter((toast) => toast.id !== id);
};

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, tone }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <span>{text}</span>
          <button type="button" class="toast-close" aria-label="Close this message" onClick={() => close(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
