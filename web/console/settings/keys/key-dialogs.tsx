// Dialogs about one key: make or change it, rotate it, and show it this once.
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Field, Select } from '../../ui/controls/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { areAllShown, type FieldErrors, fieldErrors } from '../form/field-errors.ts';
import { useAction } from '../form/use-action.ts';
import type { KeyCalls, NewKey } from './key-calls.ts';
import { checkCurl, firstCurl } from './key-curl.ts';
import { changeBody, createBody, draftErrors, draftOf, emptyDraft } from './key-draft.ts';
import { KEY_FIELDS, KeyForm } from './key-form.tsx';
import { type Key, nameOf } from './key-words.ts';

interface EditProps {
  calls: KeyCalls;
  /** Absent: a new one. */
  of?: Key;
  /** Name of the team, if it is not the own one. */
  team?: string;
  onClose: () => void;
  onDone: (made?: NewKey) => void;
}

export function EditKey({ calls, of, team, onClose, onDone }: EditProps) {
  const [draft, setDraft] = useState(() => (of ? draftOf(of) : emptyDraft()));
  const [own, setOwn] = useState<FieldErrors>({});
  const action = useAction();
  const errors = { ...fieldErrors(action.error), ...own };
  const submit = (event: Event) => {
    event.preventDefault();
    const found = draftErrors(draft);
    setOwn(found);
    if (Object.keys(found).length > 0) return;
    void action.run(async () => {
      if (!of) return onDone(await calls.create(createBody(draft)));
      await calls.change(of.id, changeBody(draft));
      onDone();
    });
  };
  const id = 'key-form';
  return (
    <Dialog
      isWide
      title={of ? `Change ${nameOf(of)}` : team === undefined ? 'New key' : `New key for ${team}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={action.isBusy} onClick={submit}>
            {of ? 'Save' : 'Create key'}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} class="stack">
        <KeyForm
          draft={draft}
          onChange={setDraft}
          errors={errors}
          isNew={!of}
          {...(of && {
            expiryNow:
              of.expiresAt === null ? 'It does not expire now.' : `Now: ${new Date(of.expiresAt).toLocaleString()}.`,
          })}
        />
        {action.error !== undefined && !areAllShown(errors, KEY_FIELDS) && <Problem error={action.error} />}
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </form>
    </Dialog>
  );
}

const GRACES = [
  { value: '0', label: 'It stops at once' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
] as const;

export function RotateKey({ calls, of, onClose, onDone }: EditProps & { of: Key }) {
  const [hours, setHours] = useState<(typeof GRACES)[number]['value']>('24');
  const action = useAction();
  return (
    <Dialog
      title={`Rotate ${nameOf(of)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={action.isBusy}
            onClick={() => void action.run(async () => onDone(await calls.rotate(of.id, Number(hours))))}
          >
            Rotate
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>You get a new key with the same limits. Label, prefix and usage stay.</p>
        <Field label="The key as it is now works for" help="Time to put the new one everywhere.">
          <Select value={hours} options={GRACES} onInput={setHours} />
        </Field>
        {action.error !== undefined && <Problem error={action.error} />}
      </div>
    </Dialog>
  );
}

/** The only time that a key is seen. */
export function ShowKey({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const first = firstCurl(location.origin, made.key, made.limits);
  return (
    <Dialog
      isWide
      title="Your new key"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div class="stack">
        <div class="notice notice-warn">
          <p class="notice-title">Copy it now: it is shown this once.</p>
          <p>The server stores only a fingerprint of it. A lost key cannot be shown again, but rotated.</p>
        </div>
        <CodeBlock label="Key" text={made.key} />
        {first && <CodeBlock label="A first call" text={first} />}
        <CodeBlock label="Check that it works" text={checkCurl(location.origin, made.key)} />
      </div>
    </Dialog>
  );
}
