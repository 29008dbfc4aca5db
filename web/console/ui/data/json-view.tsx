// A JSON value as a tree whose branches are made when they are opened, so that megabytes of it stay quick.
import { useState } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { Icon } from '../icon.tsx';
import { count } from './format.ts';
import {
  branchSize,
  CHILDREN_SHOWN,
  childCount,
  childrenOf,
  isBranch,
  leafKind,
  leafText,
  MAX_SHOWN_DEPTH,
  startsOpen,
} from './json-tree.ts';
import { plainLine } from './untrusted.ts';

/** Deeper branches are no longer indented: nothing would be left of the line. */
const INDENTED = 12;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="json" aria-label={label} tabIndex={0}>
      {isBranch(value) ? <Branch value={value} depth={0} /> : <Leaf value={value} />}
    </section>
  );
}

interface BranchProps {
  value: object;
  name?: string;
  depth: number;
}

function Branch({ value, name, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(() => startsOpen(value, depth));
  const [shown, setShown] = useState(CHILDREN_SHOWN);
  const total = childCount(value);
  const isTooDeep = depth >= MAX_SHOWN_DEPTH;
  return (
    <div>
      <button
        type="button"
        class="json-branch"
        aria-expanded={isOpen ? 'true' : 'false'}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} size={14} />
        {name !== undefined && <Name text={name} />}
        <span class="json-size">
          {Array.isArray(value) ? '[ ]' : '{ }'} {branchSize(value)}
        </span>
      </button>
      {isOpen && isTooDeep && <p class="small soft">Deeper values are not shown. The download has them.</p>}
      {isOpen && !isTooDeep && (
        <ul class={`json-children${depth >= INDENTED ? ' is-deep' : ''}`}>
          {childrenOf(value, shown).map((child) => (
            <li key={child.name}>
              {isBranch(child.value) ? (
                <Branch value={child.value} name={child.name} depth={depth + 1} />
              ) : (
                <div class="json-leaf">
                  <Name text={child.name} />
                  <Leaf value={child.value} />
                </div>
              )}
            </li>
          ))}
          {total > shown && (
            <li>
              <Button isSmall kind="quiet" onClick={() => setShown(shown + CHILDREN_SHOWN)}>
                Show {count(Math.min(CHILDREN_SHOWN, total - shown))} more of {count(total)}
              </Button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

const Name = ({ text }: { text: string }) => <span class="json-name">{plainLine(text, 200)}:</span>;

const Leaf = ({ value }: { value: unknown }) => (
  <bdi class={`json-value json-${leafKind(value)}`}>{leafText(value)}</bdi>
);
