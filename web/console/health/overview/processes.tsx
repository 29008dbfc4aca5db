// The processes of an installation that has, or could have, more than one: who is there, and whose figures are shown.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';

export type Process = ResponseOf<'healthDetails'>['processes'][number];

interface Props {
  processes: readonly Process[];
  /** ID of the one whose figures the page shows. */
  shown: string | undefined;
  onShow: (id: string) => void;
}

export function Processes({ processes, shown, onShow }: Props) {
  return (
    <section class="stack" aria-labelledby="processes">
      <h2 id="processes">Processes</h2>
      <p class="soft">
        They share one database and do each other's work. The figures on this page are those of one process; the queue
        is that of all.
      </p>
      <Table
        caption="Processes of this installation"
        columns={columnsOf(shown, onShow)}
        rows={processes}
        rowKey={({ id }) => id}
      />
    </section>
  );
}

const columnsOf = (shown: string | undefined, onShow: (id: string) => void): Column<Process>[] => [
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  { id: 'role', title: 'Role', cell: ({ role }) => role },
  { id: 'version', title: 'Version', isMinor: true, cell: ({ version }) => version },
  { id: 'since', title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { id: 'seen', title: 'Last sign of life', isMinor: true, cell: ({ seenAt }) => <Time at={seenAt} /> },
  {
    id: 'show',
    title: 'Figures',
    align: 'end',
    cell: ({ id, name }) =>
      id === shown ? (
        'Shown'
      ) : (
        <Button isSmall aria-label={`Show the figures of ${name}`} onClick={() => onShow(id)}>
          Show
        </Button>
      ),
  },
];
