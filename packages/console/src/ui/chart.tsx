import { useId } from 'react';
import { useT } from '../lang/language.tsx';

export interface Point {
  readonly label: string;
  readonly current: number | null;
  readonly previous: number | null;
}

interface ChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  /** Whether the last point is a period that is not over. */
  readonly isOpen: boolean;
}

const LEFT = 52;
const FOOT = 24;

/** A round number at or above a value: 1, 2, 2.5 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** A line over time beside that of the period before. It follows the theme, and its figures are a table below. */
export function Chart(props: ChartProps) {
  const t = useT();
  return (
    <figure>
      <div className="wide-only">
        <Drawing {...props} width={720} height={220} labels={5} />
      </div>
      <div className="phone-only">
        <Drawing {...props} width={330} height={190} labels={3} />
      </div>
      <figcaption className="legend">
        <span>
          <i />
          {t('chart.now')}
        </span>
        <span className="prev">
          <i />
          {t('chart.before')}
        </span>
        {props.isOpen && <span>{t('chart.open')}</span>}
      </figcaption>
      <details className="top">
        <summary className="small">{t('chart.table')}</summary>
        <table className="t">
          <thead>
            <tr>
              <th scope="col">{t('chart.day')}</th>
              <th scope="col" className="r">
                {t('chart.now')}
              </th>
              <th scope="col" className="r">
                {t('chart.before')}
              </th>
            </tr>
          </thead>
          <tbody>
            {props.points.map(({ label, current, previous }) => (
              <tr key={label}>
                <td>{label}</td>
                <td className="r">{current === null ? '' : props.format(current)}</td>
                <td className="r">{previous === null ? '' : props.format(previous)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function Drawing(props: ChartProps & { readonly width: number; readonly height: number; readonly labels: number }) {
  const id = useId();
  const { points, width, height, formatAxis, isOpen } = props;
  const values = points.flatMap(({ current, previous }) => [current ?? 0, previous ?? 0]);
  const top = roundUp(Math.max(...values, 0));
  const bottom = Math.min(...values, 0) < 0 ? -roundUp(-Math.min(...values)) : 0;
  const x = (index: number): number => LEFT + (index * (width - LEFT - 8)) / Math.max(points.length - 1, 1);
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
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
      <title id={id}>{props.title}</title>
      {[top, top / 2, 0].map((value) => (
        <g key={value}>
          <path d={`M${LEFT} ${y(value)}H${width - 8}`} stroke="var(--line)" />
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
      {last >= 0 && (
        <circle
          cx={x(last)}
          cy={y(current[last] ?? 0)}
          r="4"
          fill="var(--accent-text)"
          stroke="var(--surface)"
          strokeWidth="2"
        />
      )}
    </svg>
  );
}
