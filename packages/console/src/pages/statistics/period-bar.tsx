import { useSearchState } from '../../app/links.tsx';
import { useT } from '../../lang/language.tsx';
import { TextField } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Choice } from '../../ui/parts.tsx';
import { COMPARISONS, type Filters, PERIODS } from './period.ts';
import { type Breakdown } from './reports.ts';

/** A choice that stands in a line: its label, and its value. */
function Pick(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly isOn: boolean;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className={`chip pick ${props.isOn ? 'on' : ''}`}>
      {props.label}
      <select name={props.name} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </label>
  );
}

/** What was sold is what one can choose; a choice of another period stays in the list. */
function optionsOf(breakdown: Breakdown | undefined, chosen: string): readonly (readonly [string, string])[] {
  const rows = (breakdown?.rows ?? []).flatMap(({ key, name }) => (key === null ? [] : [[key, name ?? key] as const]));
  return chosen === '' || rows.some(([key]) => key === chosen) ? rows : [...rows, [chosen, chosen]];
}

/** Which figures the page shows. All of it stands in the address. */
export function PeriodBar(props: {
  readonly filters: Filters;
  readonly servers: Breakdown | undefined;
  readonly products: Breakdown | undefined;
}) {
  const t = useT();
  const [, change] = useSearchState();
  const { filters, servers, products } = props;
  const all = ['', t('statistics.all')] as const;
  return (
    <div className="stack">
      <div className="row wrapx">
        <Choice
          label={t('statistics.period')}
          value={filters.period}
          options={PERIODS.map((period) => [period, t(`statistics.period.${period}`)])}
          onChange={(period) => change({ period, from: undefined, to: undefined })}
        />
        <Pick
          name="compare"
          label={t('statistics.against')}
          value={filters.compare}
          isOn
          options={COMPARISONS.map((compare) => [compare, t(`statistics.against.${compare}`)])}
          onChange={(compare) => change({ compare, compareFrom: undefined, compareTo: undefined })}
        />
        <Pick
          name="serverId"
          label={t('statistics.server')}
          value={filters.serverId}
          isOn={filters.serverId !== ''}
          options={[all, ...optionsOf(servers, filters.serverId)]}
          onChange={(serverId) => change({ serverId })}
        />
        <Pick
          name="productId"
          label={t('statistics.product')}
          value={filters.productId}
          isOn={filters.productId !== ''}
          options={[all, ...optionsOf(products, filters.productId)]}
          onChange={(productId) => change({ productId })}
        />
      </div>
      {filters.period === 'custom' && (
        <div className="dates">
          <TextField
            type="date"
            name="from"
            label={t('statistics.from')}
            value={filters.from}
            onChange={(from) => change({ from })}
          />
          <TextField
            type="date"
            name="to"
            label={t('statistics.to')}
            value={filters.to}
            onChange={(to) => change({ to })}
          />
        </div>
      )}
      {filters.compare === 'custom' && (
        <div className="dates">
          <TextField
            type="date"
            name="compareFrom"
            label={t('statistics.compareFrom')}
            value={filters.compareFrom}
            onChange={(compareFrom) => change({ compareFrom })}
          />
          <TextField
            type="date"
            name="compareTo"
            label={t('statistics.compareTo')}
            value={filters.compareTo}
            onChange={(compareTo) => change({ compareTo })}
          />
        </div>
      )}
    </div>
  );
}
