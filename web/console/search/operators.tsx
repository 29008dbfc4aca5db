// What can be written into the search box, with examples that are taken over by a click.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/controls/button.tsx';

const OPERATORS: readonly { example: string; meaning: string }[] = [
  { example: '"two words"', meaning: 'exactly these words in this order' },
  { example: '-word', meaning: 'pages without it; every operator can have a minus' },
  { example: 'site:example.com', meaning: 'one site and its subdomains, or a part of it: site:example.com/docs' },
  { example: 'intitle:word', meaning: 'in the title; allintitle: for all words that follow' },
  { example: 'inurl:word', meaning: 'in the address; allinurl: for all words that follow' },
  { example: 'filetype:pdf', meaning: 'files of this type' },
  { example: 'related:example.com', meaning: 'pages of other sites that are similar to this one' },
];

export function Operators({ onUse }: { onUse(example: string): void }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    };
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, [isOpen]);
  return (
    <div class="operators" ref={box}>
      <Button
        kind="quiet"
        isSmall
        icon="info"
        aria-expanded={isOpen ? 'true' : 'false'}
        onClick={() => setOpen(!isOpen)}
      >
        Operators
      </Button>
      {isOpen && (
        <section class="operators-panel" aria-label="Operators">
          <p class="small soft">Click an example to add it to the search.</p>
          <ul>
            {OPERATORS.map(({ example, meaning }) => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => {
                    setOpen(false);
                    onUse(example);
                  }}
                >
                  <code>{example}</code>
                </button>
                <span>{meaning}</span>
              </li>
            ))}
          </ul>
          <p class="small soft">
            Keys: <kbd>/</kbd> goes to the box, <kbd>↓</kbd> <kbd>↑</kbd> move through the results, <kbd>Enter</kbd>{' '}
            opens one, <kbd>Esc</kbd> clears the box.
          </p>
        </section>
      )}
    </div>
  );
}
