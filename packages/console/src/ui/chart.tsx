import './chart.css';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { useT } from '../lang/language.tsx';

export interface Point {
  readonly label: string;
  readonly current: number | null;
  readonly previous: number | null;
  /** What the earlier value is of, such as its day. */
  readonly previousLabel?: string;
}

interface ChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  /** Whether the last point is a period that is not over. */
  readonly isOpen: boolean;
  /** What the labels are, for the table: days when it says nothing. */
  readonly unit?: string;
  /** Whether it has the whole width of the page. */
  readonly isWide?: boolean;
}

/** The point that the reader looks at. */
interface Looking {
  readonly at: number | null;
  readonly onLook: (at: number | null) => void;
}

const LEFT = 52;
const RIGHT = 8;
const FOOT = 24;

/** A number at or above a value whose half is whole, too, so that the axis has no decimals. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const steps = power === 1 ? [2, 4, 6, 8, 10] : [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
  return Math.round((steps.find((step) => step * power >= value) ?? 10) * power);
}

/**
 * A line over time beside that of the period before. It follows the theme. A pointer, a finger and the arrow keys look at one point, and
 * the table below has all figures.
 */
export function Chart(props: ChartProps) {
  const t = useT();
  const [at, onLook] = useState<number | null>(null);
  const { points, format } = props;
  const textOf = (value: number | null): string => (value === null ? '' : format(value));
  return (
    <figure>
      <div className="wide-only">
        <Drawing
          {...props}
          at={at}
          onLook={onLook}
          {...(props.isWide === true ? { width: 960, height: 280 } : { width: 720, height: 220 })}
          labels={5}
        />
      </div>
      <div className="phone-only">
        <Drawing {...props} at={at} onLook={onLook} width={330} height={190} labels={3} />
      </div>
      <figcaption className="top">
        <p className="legend">
          <span>
            <i />
            {t('chart.now')}
          </span>
          <span className="prev">
            <i />
            {t('chart.before')}
          </span>
          {props.isOpen && <span>{t('chart.open')}</span>}
        </p>
        <details className="top">
          <summary className="small">{t('chart.table')}</summary>
          <table className="t">
            <thead>
              <tr>
                <th scope="col">{props.unit ?? t('chart.day')}</th>
                <th scope="col" className="r">
                  {t('chart.now')}
                </th>
                <th scope="col" className="r">
                  {t('chart.before')}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ label, current, previous }, index) => (
                <tr key={index}>
                  <td>{label}</td>
                  <td className="r">{textOf(current)}</td>
                  <td className="r" data-l={t('chart.before')}>
                    {textOf(previous)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  );
}

type DrawingProps = ChartProps & Looking & { readonly width: number; readonly height: number; readonly labels: number };

/** The drawing as something to look along: a slider over its points. */
function Drawing(props: DrawingProps) {
  const { points, at, onLook, width, format } = props;
  const t = useT();
  const last = points.length - 1;
  const seen = at === null ? undefined : points[at];
  const share = (LEFT + ((at ?? 0) * (width - LEFT - RIGHT)) / Math.max(last, 1)) / width;
  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / shown) * width;
    onLook(clamp(Math.round(((x - LEFT) / (width - LEFT - RIGHT)) * last), last));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return onLook(null);
    const to = { ArrowLeft: (at ?? last) - 1, ArrowRight: (at ?? last) + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return undefined;
    event.preventDefault();
    return onLook(clamp(to, last));
  };
  const textOf = (value: number | null): string => (value === null ? '–' : format(value));
  return (
    <div
      className="looking"
      role="slider"
      tabIndex={0}
      aria-label={props.title}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={at ?? Math.max(last, 0)}
      aria-valuetext={seen && `${seen.label}: ${textOf(seen.current)}, ${t('chart.before')}: ${textOf(seen.previous)}`}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => onLook(null)}
      onFocus={() => at === null && onLook(last)}
      onBlur={() => onLook(null)}
      onKeyDown={press}
    >
      <Lines {...props} />
      {seen && (
        <div className={`looked ${share > 0.5 ? 'end' : ''}`} style={{ left: `${share * 100}%` }}>
          <b>{seen.label}</b>
          <span>{textOf(seen.current)}</span>
          <small>
            {seen.previousLabel ?? t('chart.before')}: {textOf(seen.previous)}
          </small>
        </div>
      )}
    </div>
  );
}

const clamp = (index: number, last: number): number => Math.min(Math.max(index, 0), Math.max(last, 0));

function Lines(props: DrawingProps) {
  const id = useId();
  const { points, width, height, formatAxis, isOpen, at } = props;
  const values = points.flatMap(({ current, previous }) => [current ?? 0, previous ?? 0]);
  const top = roundUp(Math.max(...values, 0));
  const bottom = Math.min(...values, 0) < 0 ? -roundUp(-Math.min(...values)) : 0;
  const x = (index: number): number => LEFT + (index * (width - LEFT - RIGHT)) / Math.max(points.length - 1, 1);
  const y = (value: number): number => 10 + ((top - value) * (height - FOOT - 10)) / (top - bottom);
  const path = (list: readonly (number | null)[], from = 0): string =>
    list
      .flatMap((value, index) => (value === null ? [] : [`${x(index + from).toFixed(1)} ${y(value).toFixed(1)}`]))
      .join('L');
  const current = points.map((point) => point.current);
  const last = current.findLastIndex((value) => value !== null);
  const solid = isOpen && last > 0 ? current.slice(0, last) : current.slice(0, last + 1);
  const line = path(solid);
  const previous = path(points.map((point) => point.previous));
  const every = Math.max(1, Math.ceil((points.length - 1) / (props.labels - 1)));
  const seen = at === null ? undefined : points[at];
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
      <title id={id}>{props.title}</title>
      {(bottom < 0 ? [top, 0, bottom] : [top, top / 2, 0]).map((value) => (
        <g key={value}>
          <path d={`M${LEFT} ${y(value)}H${width - RIGHT}`} stroke="var(--line)" />
          <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
            {formatAxis(value)}
          </text>
        </g>
      ))}
      {points.map(({ label }, index) =>
        index % every === 0 ? (
          <text
            key={index}
            x={x(index)}
            y={height - 6}
            textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
          >
            {label}
          </text>
        ) : null,
      )}
      {previous !== '' && (
        <path d={`M${previous}`} fill="none" stroke="var(--text-3)" strokeWidth="1.6" strokeDasharray="4 4" />
      )}
      {solid.length > 1 && (
        <path d={`M${line}L${x(solid.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} fill="var(--accent-text)" opacity=".1" />
      )}
      {line !== '' && (
        <path d={`M${line}`} fill="none" stroke="var(--accent-text)" strokeWidth="2.4" strokeLinejoin="round" />
      )}
      {isOpen && last > 0 && (
        <path
          d={`M${path(current.slice(last - 1, last + 1), last - 1)}`}
          fill="none"
          stroke="var(--accent-text)"
          strokeWidth="2.4"
          strokeDasharray="2 4"
          strokeLinecap="round"
        />
      )}
      {at !== null && <path d={`M${x(at)} 10V${height - FOOT}`} stroke="var(--line-strong)" />}
      {seen && seen.previous !== null && <Dot x={x(at ?? 0)} y={y(seen.previous)} color="var(--text-3)" />}
      {last >= 0 && <Dot x={x(last)} y={y(current[last] ?? 0)} color="var(--accent-text)" />}
      {seen && seen.current !== null && <Dot x={x(at ?? 0)} y={y(seen.current)} color="var(--accent-text)" />}
    </svg>
  );
}

function Dot({ x, y, color }: { readonly x: number; readonly y: number; readonly color: string }) {
  return <circle cx={x} cy={y} r="4" fill={color} stroke="var(--surface)" strokeWidth="2" />;
}
