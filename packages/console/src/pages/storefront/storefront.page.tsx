import '../../ui/shop-parts.css';
import './storefront.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ROOT, api, type Answer } from '../../api/client.ts';
import { FormConflict } from '../../app/conflict.tsx';
import { shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Head } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { FootFields } from './foot.tsx';
import { LookFields } from './look.tsx';
import { Preview } from './preview.tsx';
import { StartPage } from './start-page.tsx';
import { bodyOf, type ShopSettings, type StorefrontValues, valuesOf } from './storefront-form.ts';

const LABELS: Readonly<Record<keyof StorefrontValues, string>> = {
  logoId: 'storefront.logo',
  accentColor: 'storefront.accent',
  'theme.font': 'storefront.font',
  'theme.mode': 'storefront.mode',
  'hero.title': 'storefront.headline',
  'hero.text': 'storefront.text',
  'hero.imageId': 'storefront.heroImage',
  'hero.links': 'storefront.heroLinks',
  'notice.text': 'storefront.notice',
  'notice.label': 'storefront.noticeLabel',
  'notice.url': 'storefront.noticeUrl',
  links: 'storefront.links',
  parts: 'storefront.parts',
  widgets: 'storefront.parts',
  goalText: 'storefront.goalText',
  closedText: 'storefront.closedText',
};

const read = (shopId: string) =>
  api.get('/api/v2/shops/{shopId}', { path: { shopId } }) as Promise<Answer<ShopSettings>>;

/** How the pages of the shop look and what they say. */
export default function StorefrontPage() {
  const t = useT();
  const shop = useShop();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'storefront'),
    queryFn: () => read(shop._id),
    // The form keeps what somebody types; a change by others shows when it is saved.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Loaded query={query} heading={t('storefront.title')}>
      {(answer) => <Editor key={answer.etag} {...answer} onTheirs={() => void query.refetch()} />}
    </Loaded>
  );
}

function Editor({ data, etag, onTheirs }: Answer<ShopSettings> & { readonly onTheirs: () => void }) {
  const t = useT();
  const shop = useShop();
  const client = useQueryClient();
  const tell = useTell();
  const version = useRef(etag);
  const [saved, setSaved] = useState(() => valuesOf(data));
  const form = useForm<StorefrontValues>(saved, async (values) => {
    const body = bodyOf(values, saved);
    const answer = await api.patch('/api/v2/shops/{shopId}', {
      path: { shopId: shop._id },
      body,
      ifMatch: version.current,
    });
    version.current = answer.etag;
    setSaved(values);
    await client.invalidateQueries({ queryKey: ['shops'] });
    tell(t('storefront.saved'));
  });
  return (
    <>
      <Head title={t('storefront.title')}>
        <a className="btn" href={`${ROOT}/shops/${shop.uniqueName}/`} target="_blank" rel="noreferrer">
          <Icon name="eye" />
          {t('storefront.lookAtIt')}
        </a>
      </Head>
      <FormConflict
        form={form}
        before={saved}
        labelOf={(name) => t(LABELS[name as keyof StorefrontValues])}
        read={() => read(shop._id)}
        valuesOf={valuesOf}
        version={version}
        onTheirs={onTheirs}
      />
      <div className="storefront-grid">
        <div className="stack">
          <LookFields form={form} />
          <StartPage form={form} />
          <FootFields form={form} />
        </div>
        <Preview values={form.values} />
      </div>
      <SaveBar form={form} />
    </>
  );
}
