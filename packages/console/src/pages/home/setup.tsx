import { type ReactNode, useState } from 'react';
import { api, ROOT } from '../../api/client.ts';
import { type Overview } from '../../api/types.ts';
import { Link, useSearchState } from '../../app/links.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Card, Head } from '../../ui/parts.tsx';
import { useErrorText } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';

/** The way of a new shop. A step is ticked by a fact, never by a click. */
export function Setup({ overview, greeting }: { readonly overview: Overview; readonly greeting: string }) {
  const t = useT();
  const [, change] = useSearchState();
  const done = overview.checklist.filter(({ isDone }) => isDone).length;
  const current = overview.checklist.find(({ isDone }) => !isDone)?.step;
  return (
    <>
      <Head title={greeting}>
        <Button onClick={() => change({ list: 'hidden' })}>{t('setup.hide')}</Button>
      </Head>
      <section className="card flush">
        <div className="between line">
          <h2>{t('setup.progress', { done, all: overview.checklist.length })}</h2>
          <span className="dim small">{t('setup.byFacts')}</span>
        </div>
        <ol className="steps">
          {overview.checklist.map(({ step, isDone }, index) => (
            <li key={step} className={isDone ? 'ok' : step === current ? 'now' : ''}>
              <span className="pt">{isDone ? <Icon name="check" /> : index + 1}</span>
              <div>
                <h3>{t(`setup.${step}`)}</h3>
                {!isDone && <p className="muted small">{t(`setup.text.${step}`)}</p>}
                {!isDone && <div className="row wrapx top">{<Step step={step} overview={overview} />}</div>}
              </div>
            </li>
          ))}
        </ol>
      </section>
      <Card title={t('setup.stuck')}>
        <p className="muted small">{t('setup.stuckText')}</p>
      </Card>
    </>
  );
}

/** What ends a step. */
function Step({ step, overview }: { readonly step: string; readonly overview: Overview }): ReactNode {
  const t = useT();
  const shop = useShop();
  const base = `/${shop.uniqueName}`;
  const to = (path: string, label: string) => (
    <Link className="btn" to={`${base}/${path}`}>
      {t(label)}
    </Link>
  );
  if (step === 'settings') return to('settings', 'setup.toSettings');
  if (step === 'payment_method') {
    return (
      <>
        <Act
          act={() =>
            api.put('/api/v2/payments/{shopId}/providers/{provider}', {
              path: { shopId: shop._id, provider: 'test' },
              body: { enabled: true, credentials: {} },
            })
          }
          label="setup.test"
        />
        {to('settings/payments', 'setup.toPayments')}
      </>
    );
  }
  if (step === 'product') return to('products/new', 'setup.toProduct');
  if (step === 'server') return to('servers/new', 'setup.toServer');
  if (step === 'purchase') {
    return (
      <>
        {overview.checklist.some(({ step: name, isDone }) => name === 'open' && isDone) && (
          <a className="btn" href={`${ROOT}/shops/${shop.uniqueName}/`}>
            {t('setup.toShop')}
          </a>
        )}
        {to('orders/new', 'setup.rehearse')}
      </>
    );
  }
  return (
    <Act
      act={() => api.post('/api/v2/shops/{shopId}/reactivate', { path: { shopId: shop._id } })}
      label="setup.openShop"
    />
  );
}

function Act(props: { readonly act: () => Promise<unknown>; readonly label: string }) {
  const t = useT();
  const shop = useShop();
  const tell = useTell();
  const textOf = useErrorText();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      await props.act();
      await Promise.all([refresh(...shopKey(shop._id)), refresh('shops')]);
    } catch (error) {
      tell(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="main" isBusy={isBusy} onClick={() => void act()}>
      {t(props.label)}
    </Button>
  );
}
