import { type Schemas } from '@shop-platform/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, unchecked, type Answer } from '../../api/client.ts';
import { FormConflict } from '../../app/conflict.tsx';
import { Link, useGo, usePlace } from '../../app/links.tsx';
import { shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useMay, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { ProductFields } from './editor.tsx';
import { bodyOf, type ProductValues, valuesOf } from './product-form.ts';
import { type Product } from './queries.ts';
import { ProductState } from './state.tsx';

/** The labels of fields whose text has another name. */
const LABELS: Readonly<Record<string, string>> = {
  imageIds: 'products.pictures',
  serverIds: 'products.servers',
  categoryId: 'products.category',
  isActive: 'products.state.onSale',
};

const read = (shopId: string, productId: string) =>
  api.get('/api/v2/products/{shopId}/{productId}', { path: { shopId, productId } }) as Promise<Answer<Product>>;

export default function ProductPage() {
  const t = useT();
  const shop = useShop();
  const { productId = '' } = usePlace();
  const query = useQuery({
    queryKey: shopKey(shop._id, 'product', productId),
    queryFn: () => read(shop._id, productId),
    // The form keeps what somebody types; a change by others shows when it is saved.
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={query} heading={t('products.product')}>
      {(answer) => <Editor key={answer.etag} {...answer} onTheirs={() => void query.refetch()} />}
    </Loaded>
  );
}

function Editor({ data: product, etag, onTheirs }: Answer<Product> & { readonly onTheirs: () => void }) {
  const t = useT();
  const shop = useShop();
  const client = useQueryClient();
  const tell = useTell();
  const mayWrite = useMay('products:write');
  const [warnings, setWarnings] = useState<readonly Schemas['ProductWarningDto'][]>([]);
  const version = useRef(etag);
  const before = valuesOf(product);
  const [saved, setSaved] = useState(before);
  const form = useForm<ProductValues>(before, async (values) => {
    const answer = await api.patch('/api/v2/products/{shopId}/{productId}', {
      path: { shopId: shop._id, productId: product.id },
      body: unchecked(bodyOf(values, saved)),
      ifMatch: version.current,
    });
    version.current = answer.etag;
    setSaved(values);
    setWarnings(answer.data.warnings);
    await client.invalidateQueries({ queryKey: shopKey(shop._id, 'products') });
    tell(t('products.saved'));
  });
  return (
    <>
      <Head
        title={product.name}
        badges={<ProductState product={product} />}
        back={
          <Link className="back" to={`/${shop.uniqueName}/products`}>
            <Icon name="left" />
            {t('products.title')}
          </Link>
        }
      >
        <a
          className="btn"
          href={`${shop.frontEndUrl}/p/${product.slug ?? product.id}`}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="eye" />
          {t('products.look')}
        </a>
        {mayWrite && <Archive product={product} />}
      </Head>
      <FormConflict
        form={form}
        before={saved}
        labelOf={(name) => t(LABELS[name] ?? `products.${name}`)}
        read={() => read(shop._id, product.id)}
        valuesOf={valuesOf}
        version={version}
        onTheirs={onTheirs}
      />
      <fieldset disabled={!mayWrite} className="stack">
        <ProductFields form={form} warnings={warnings} />
      </fieldset>
      <SaveBar form={form} />
    </>
  );
}

/** Removes a product for ever; orders keep its name. */
function Archive({ product }: { readonly product: Product }) {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = async (): Promise<void> => {
    await api.delete('/api/v2/products/{shopId}/{productId}', { path: { shopId: shop._id, productId: product.id } });
    await client.invalidateQueries({ queryKey: shopKey(shop._id, 'products') });
    go(`/${shop.uniqueName}/products`);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('products.remove')}</Button>
      <Confirm
        isOpen={isOpen}
        title={t('products.removeTitle', { name: product.name })}
        act={t('products.removeAct')}
        keep={t('products.keep')}
        onAct={remove}
        onClose={() => setOpen(false)}
      >
        <p>{t('products.removeText')}</p>
      </Confirm>
    </>
  );
}
