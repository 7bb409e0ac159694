import { type ReactNode, useState } from 'react';
import { useT } from '../lang/language.tsx';
import { Button } from './parts.tsx';

/** The rows of a list that somebody has chosen. */
export interface Chosen {
  /** Those that are still in the list. */
  readonly ids: readonly string[];
  readonly clear: () => void;
  /** The box of a row. */
  readonly box: (id: string, label: string) => ReactNode;
  /** The box of all rows of the page. */
  readonly boxOfAll: ReactNode;
}

export function useChosen(all: readonly string[]): Chosen {
  const t = useT();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const ids = all.filter((id) => chosen.includes(id));
  const box = (label: string, isChecked: boolean, next: readonly string[]): ReactNode => (
    <input type="checkbox" className="cb" aria-label={label} checked={isChecked} onChange={() => setChosen(next)} />
  );
  return {
    ids,
    clear: () => setChosen([]),
    box: (id, label) => {
      const isChosen = ids.includes(id);
      return box(
        t('list.choose', { name: label }),
        isChosen,
        isChosen ? ids.filter((one) => one !== id) : [...ids, id],
      );
    },
    boxOfAll: box(
      t('list.chooseAll'),
      all.length > 0 && ids.length === all.length,
      ids.length === all.length ? [] : all,
    ),
  };
}

/** What can be done with the chosen rows. It floats, so that no row moves. */
export function BulkBar(props: { readonly chosen: Chosen; readonly all: number; readonly children: ReactNode }) {
  const t = useT();
  const { chosen, all } = props;
  if (chosen.ids.length === 0) return null;
  return (
    <div className="bulk" role="region" aria-label={t('list.chosenOnes')}>
      <b>{t('list.chosen', { count: chosen.ids.length, all })}</b>
      {props.children}
      <Button icon="close" aria-label={t('list.chooseNone')} onClick={chosen.clear} />
    </div>
  );
}
