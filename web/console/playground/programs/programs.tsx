// What to paste where, so that another program uses this service. The key is never part of it.
import programs from 'contracts:programs';
import { useState } from 'preact/hooks';
import { Field, Select } from '../../ui/controls/field.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';

/** `KEY` in the block stands for a key. */
export interface Program {
  name: string;
  where: string;
  block: string;
}

/** The address in the blocks, which stands for the one at which the service is reached. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:3002';

export function Programs() {
  const [chosen, choose] = useState(programs[0]!.name);
  const { name, where, block } = programs.find((program) => program.name === chosen)!;
  return (
    <section class="card stack" aria-label="Use from other programs">
      <h2>Use from other programs</h2>
      <Field label="Program">
        <Select value={chosen} options={programs.map((program) => program.name)} onInput={choose} />
      </Field>
      <p class="field-help">{where}</p>
      <CodeBlock label={name} text={block.replaceAll(DEFAULT_ADDRESS, location.origin)} />
      <p class="field-help">
        Replace KEY with one of your keys, best one that may only do what the program needs. A program in a container
        reaches this machine by another name than 127.0.0.1. <a href="/console/manual/use/use-from">More</a>
      </p>
    </section>
  );
}
