// Draws a chart with uPlot. Loaded when the first chart is shown.
import uPlot from 'uplot';
import { colorOf } from '../../ui/controls/theme.ts';
import { type ChartData, stacked, type Unit, writeFigure } from './chart-data.ts';

export interface Plot {
  show(data: ChartData): void;
  resize(width: number): void;
  destroy(): void;
}

interface Options {
  kind: 'lines' | 'bars';
  width: number;
  height: number;
  /** How times are written at the axis. */
  writeTime: (at: number) => string;
  /** Called with the position of the mouse among the times; undefined when it leaves. */
  onPoint: (index: number | undefined) => void;
}

const Y_AXIS_WIDTH = 62;
const MIN_TICK_WIDTH = 70;
const X_AXIS_HEIGHT = 28;
const MIN_TICK_HEIGHT = 34;
const BAR_SHARE = 0.72;
const MAX_BAR_WIDTH = 40;

export function createPlot(element: HTMLElement, first: ChartData, options: Options): Plot {
  const { width, height, kind, writeTime, onPoint } = options;
  const axis = { stroke: colorOf('--text-soft'), font: axisFont(), ticks: { show: false } };
  const grid = { stroke: colorOf('--border'), width: 1 };
  const plot = new uPlot(
    {
      width,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
      scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: X_AXIS_HEIGHT,
          space: MIN_TICK_WIDTH,
          incrs: TIME_STEPS,
          values: (_plot, times) => times.map((at) => writeTime(at)),
        },
        {
          ...axis,
          grid,
          size: Y_AXIS_WIDTH,
          space: MIN_TICK_HEIGHT,
          ...(STEPS[first.unit] && { incrs: STEPS[first.unit] }),
          values: (_plot, values) => values.map((value) => writeFigure(value, first.unit)),
        },
      ],
      series: [{}, ...seriesOf(first, kind)],
      hooks: {
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
      },
    },
    dataOf(first, kind),
    element,
  );
  return {
    show: (data) => plot.setData(dataOf(data, kind)),
    resize: (width) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  };
}

const steps = (base: number, factors: readonly number[], times: number): number[] =>
  Array.from({ length: times }, (_, power) => factors.map((factor) => factor * base ** power)).flat();

/** Ticks of the axis at round values: whole things, and powers of two for sizes. */
const STEPS: Readonly<Partial<Record<Unit, number[]>>> = {
  count: steps(10, [1, 2, 5], 12),
  bytes: steps(2, [1], 50),
};

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 20, 30, 60, 120, 240, 360, 720].map((minutes) => minutes * MINUTE),
  ...[1, 2, 5, 7, 14, 28].map((days) => days * DAY),
];

/** The highest of several stacked bars is drawn first, so that the others stand in front of it. */
const inDrawingOrder = <T>(items: readonly T[], kind: Options['kind']): T[] =>
  kind === 'bars' ? items.toReversed() : [...items];

function seriesOf({ series }: ChartData, kind: Options['kind']): uPlot.Series[] {
  return inDrawingOrder(series, kind).map(({ color, isDashed, label }) => {
    const stroke = colorOf(`--chart-${color}`);
    const shared = { label, stroke, width: 2, points: { show: false } };
    if (kind === 'lines') return { ...shared, ...(isDashed && { dash: [5, 4] }), spanGaps: false };
    return { ...shared, width: 0, fill: stroke, paths: uPlot.paths.bars!({ size: [BAR_SHARE, MAX_BAR_WIDTH] }) };
  });
}

function dataOf({ at, series }: ChartData, kind: Options['kind']): uPlot.AlignedData {
  const lines = kind === 'bars' ? stacked(series) : series.map(({ values }) => [...values]);
  return [[...at], ...inDrawingOrder(lines, kind)] as uPlot.AlignedData;
}

const axisFont = (): string => `12px ${getComputedStyle(document.body).fontFamily}`;
