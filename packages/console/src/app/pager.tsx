import { type Page } from '@shop-platform/client';
import { useT } from '../lang/language.tsx';
import { Button } from '../ui/parts.tsx';
import { useSearchState } from './links.tsx';

/** The foot of a list. The cursor stands in the address, so the way back is that of the browser. */
export function Pager(props: {
  readonly total: Page<unknown>['total'];
  readonly shown: number;
  readonly next: string | null;
}) {
  const t = useT();
  const [search, change] = useSearchState();
  const { total, shown, next } = props;
  return (
    <div className="pager">
      <span>
        {total === null
          ? t('list.shown', { count: shown })
          : t('list.total', { shown, total: `${total.count}${total.isExact ? '' : '+'}` })}
      </span>
      <span className="row">
        {search['cursor'] !== undefined && (
          <Button icon="left" aria-label={t('list.newer')} onClick={() => window.history.back()} />
        )}
        {next !== null && <Button icon="right" aria-label={t('list.older')} onClick={() => change({ cursor: next })} />}
      </span>
    </div>
  );
}
