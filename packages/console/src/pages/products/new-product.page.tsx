import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, unchecked } from '../../api/client.ts';
import { Link, useGo } from '../../app/links.tsx';
import { shopKey } from '../../app/queries.ts';
import { SaveBar } from '../../app/save-bar.tsx';
import { useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Head } from '../../ui/parts.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { ProductFields } from './editor.tsx';
import { bodyOf, NEW_PRODUCT, type ProductValues } from './product-form.ts';

export default function NewProductPage() {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const tell = useTell();
  const client = useQueryClient();
  const base = `/${shop.uniqueName}/products`;
  const form = useForm<ProductValues>(NEW_PRODUCT, async (values) => {
    const body = bodyOf(values, NEW_PRODUCT);
    const { id, name } = await dataOf(
      api.post('/api/v2/products/{shopId}', { path: { shopId: shop._id }, body: unchecked(body) }),
    );
    await client.invalidateQueries({ queryKey: shopKey(shop._id, 'products') });
    tell(t('products.created', { name }));
    // After the form knows that it is saved: otherwise it would ask before the page is left.
    setTimeout(() => go(`${base}/${id}`, {}, true));
  });
  return (
    <>
      <Head
        title={t('products.new')}
        back={
          <Link className="back" to={base}>
            <Icon name="left" />
            {t('products.title')}
          </Link>
        }
      />
      <ProductFields form={form} warnings={[]} />
      <SaveBar form={form} />
    </>
  );
}
