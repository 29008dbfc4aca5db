// The request as JSON that can be edited. The form shows the same request.
import { Field, TextArea } from '../../ui/controls/field.tsx';
import type { Body } from '../run/recent.ts';
import { useDraft } from './controls/drafts.ts';
import { type FieldError, ownError } from './field-errors.ts';
import { readBody, writeJson } from './json-text.ts';

interface Props {
  body: Body;
  onChange: (body: Body) => void;
  errors: readonly FieldError[];
}

const ROWS = 16;

export function JsonForm({ body, onChange, errors }: Props) {
  const { text, problem, write } = useDraft<Body>(
    body,
    writeJson,
    (typed) => {
      const read = readBody(typed);
      return 'body' in read ? { value: read.body } : read;
    },
    (next) => onChange(next ?? {}),
  );
  return (
    <Field
      label="Request body"
      help="Fields of the contract only. The form and the code below show the same request."
      error={problem ?? ownError(errors, true)}
    >
      <TextArea value={text} onInput={write} rows={ROWS} isCode />
    </Field>
  );
}
