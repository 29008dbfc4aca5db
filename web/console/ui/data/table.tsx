// A table, which becomes a list of cards on a phone: the first column is the card's title, the others say their name.
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  align?: 'start' | 'end';
  /** Left out on narrow screens, but not on phones, where there is room below each other. */
  isMinor?: boolean;
  /** The title is read out, but not shown: for columns of buttons. */
  isTitleHidden?: boolean;
}

interface Props<Row> {
  /** Says what the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table-frame" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" class={classOf(column)}>
                {column.isTitleHidden ? <span class="visually-hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, position) => (
                <td
                  key={column.id}
                  class={`${classOf(column)}${position === 0 ? ' is-main' : ''}`}
                  data-title={column.isTitleHidden ? undefined : column.title}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const classOf = ({ align, isMinor }: Column<never>): string =>
  [align === 'end' && 'align-end', isMinor && 'is-minor'].filter(Boolean).join(' ');
