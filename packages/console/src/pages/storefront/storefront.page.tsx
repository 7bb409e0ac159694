import { ApiError } from '@shop-platform/client';
import '../../ui/shop-parts.css';
import './storefront.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROOT, api, type Answer } from '../../api/client.ts';
import { shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { FormProblem, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Alert, Button, Head } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { FootFields, LegalFields } from './legal.tsx';
import { LookFields } from './look.tsx';
import { Preview } from './preview.tsx';
import { StartPage } from './start-page.tsx';
import { bodyOf, type ShopSettings, type StorefrontValues, valuesOf } from './storefront-form.ts';

/** How the pages of the shop look and what they say. */
export default function StorefrontPage() {
  const shop = useShop();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'storefront'),
    queryFn: () => api.get('/api/v2/shops/{shopId}', { path: { shopId: shop._id } }) as Promise<Answer<ShopSettings>>,
    // The form keeps what somebody types; a change by others shows when it is saved.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Loaded query={query}>
      {(answer) => <Editor key={answer.etag} {...answer} onTheirs={() => void query.refetch()} />}
    </Loaded>
  );
}

function Editor({ data, etag, onTheirs }: Answer<ShopSettings> & { readonly onTheirs: () => void }) {
  const t = useT();
  const shop = useShop();
  const client = useQueryClient();
  const tell = useTell();
  const [version, setVersion] = useState(etag);
  const [saved, setSaved] = useState(() => valuesOf(data));
  const form = useForm<StorefrontValues>(saved, async (values) => {
    const body = bodyOf(values, saved);
    const answer = await api.patch('/api/v2/shops/{shopId}', { path: { shopId: shop._id }, body, ifMatch: version });
    setVersion(answer.etag);
    setSaved(values);
    await client.invalidateQueries({ queryKey: ['shops'] });
    tell(t('storefront.saved'));
  });
  const isChangedByOthers = form.failure instanceof ApiError && form.failure.code === 'version_mismatch';
  return (
    <>
      <Head title={t('storefront.title')}>
        <a className="btn" href={`${ROOT}/shops/${shop.uniqueName}/`} target="_blank" rel="noreferrer">
          <Icon name="eye" />
          {t('storefront.lookAtIt')}
        </a>
      </Head>
      {isChangedByOthers ? (
        <Alert
          tone="warn"
          title={t('storefront.changedByOthers')}
          action={<Button onClick={onTheirs}>{t('storefront.showTheirs')}</Button>}
        />
      ) : (
        <FormProblem form={form} />
      )}
      <div className="storefront-grid">
        <div className="stack">
          <LookFields form={form} />
          <StartPage form={form} />
          <FootFields form={form} />
          <LegalFields form={form} />
        </div>
        <Preview values={form.values} />
      </div>
      <SaveBar form={form} />
    </>
  );
}
