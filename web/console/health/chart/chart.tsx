// A chart with its legend, a summary in words for screen readers, and a table for everybody who prefers one.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/controls/button.tsx';
import { isDark } from '../../ui/controls/theme.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { type ChartData, type ChartRow, latestOf, rowsOf, summaryOf, writeFigure } from './chart-data.ts';
import type { Plot } from './plot.ts';

interface Props {
  title: string;
  /** Level of its heading. */
  level?: 2 | 3;
  help: string;
  data: ChartData;
  kind?: 'lines' | 'bars';
  writeTime: (at: number) => string;
}

const HEIGHT = 190;
const TABLE_ROWS = 12;

export function Chart({ title, level = 3, help, data, kind = 'lines', writeTime }: Props) {
  const [isTable, setTable] = useState(false);
  const [point, setPoint] = useState<number>();
  return (
    <section class="card chart" aria-label={title}>
      <div class="card-head">
        {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
        <Button isSmall kind="quiet" aria-pressed={isTable ? 'true' : 'false'} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show the chart' : 'Show as table'}
        </Button>
      </div>
      <p class="small soft chart-help">{help}</p>
      <Legend data={data} point={isTable ? undefined : point} kind={kind} writeTime={writeTime} />
      {isTable && <FigureTable title={title} data={data} writeTime={writeTime} />}
      {!isTable && (
        <div class="chart-plot" role="img" aria-label={`${title}. ${summaryOf(data)}`}>
          <Drawing data={data} kind={kind} writeTime={writeTime} onPoint={setPoint} />
        </div>
      )}
    </section>
  );
}

interface DrawingProps extends Required<Pick<Props, 'kind' | 'writeTime'>> {
  data: ChartData;
  onPoint: (index: number | undefined) => void;
}

function Drawing({ data, kind, writeTime, onPoint }: DrawingProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const latest = useRef(data);
  latest.current = data;
  // Other lines, and other colours, need a new drawing.
  const names = data.series.map(({ label }) => label).join('\n');
  const theme = isDark();
  useEffect(() => {
    const box = element.current!;
    let isGone = false;
    import('./plot.ts').then(({ createPlot }) => {
      if (isGone) return;
      plot.current = createPlot(box, latest.current, {
        ...{ kind, writeTime, onPoint },
        width: box.clientWidth,
        height: HEIGHT,
      });
    });
    const resizing = new ResizeObserver(() => plot.current?.resize(box.clientWidth));
    resizing.observe(box);
    return () => {
      isGone = true;
      resizing.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [names, theme, kind]);
  useEffect(() => plot.current?.show(data), [data]);
  return <div ref={element} class="chart-canvas" />;
}

interface LegendProps extends Required<Pick<Props, 'kind' | 'writeTime'>> {
  data: ChartData;
  point: number | undefined;
}

/** The figures of the moment that the mouse points at, else the latest; of bars the sums. */
function Legend({ data: { at, series, unit }, point, kind, writeTime }: LegendProps) {
  const isPointed = point !== undefined && point < at.length;
  const figureOf = (values: readonly (number | null)[]) => {
    if (isPointed) return values[point] ?? null;
    return kind === 'bars' ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : latestOf(values);
  };
  const moment = isPointed ? writeTime(at[point]!) : kind === 'bars' ? 'In total' : 'Now';
  return (
    <ul class="legend">
      <li class="legend-moment">{moment}</li>
      {series.map(({ label, values, color, isDashed }) => (
        <li key={label}>
          <span class={`legend-mark chart-color-${color}${isDashed ? ' is-dashed' : ''}`} aria-hidden="true" />
          <span>{label}</span>
          <b>{writeFigure(figureOf(values), unit)}</b>
        </li>
      ))}
    </ul>
  );
}

function FigureTable({ title, data, writeTime }: { title: string; data: ChartData } & Pick<Props, 'writeTime'>) {
  const columns: Column<ChartRow>[] = [
    { id: 'at', title: 'From', cell: ({ at }) => writeTime(at) },
    ...data.series.map(({ label }, index) => ({
      id: label,
      title: label,
      align: 'end' as const,
      cell: ({ figures }: ChartRow) => writeFigure(figures[index], data.unit),
    })),
  ];
  const rows = rowsOf(data, TABLE_ROWS);
  if (rows.length === 0) return <p class="soft small">Nothing was measured yet.</p>;
  return (
    <Table
      caption={`${title}: the highest figures of each part of the time`}
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
    />
  );
}
