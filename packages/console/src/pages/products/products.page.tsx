import { type Body, type Page } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unchecked } from '../../api/client.ts';
import { Link, useGo, useSearchState } from '../../app/links.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey, useRefresh } from '../../app/queries.ts';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Filter, SearchTools } from '../../app/list-tools.tsx';
import { BulkBar, useChosen } from '../../ui/bulk.tsx';
import { moved } from '../../ui/lists.ts';
import { MoveButtons } from '../../ui/move-buttons.tsx';
import { Button, Head } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useTell } from '../../ui/toasts.tsx';
import { Picture } from './picture.tsx';
import { type Product, useCategories, useServers } from './queries.ts';
import { ProductState } from './state.tsx';

const SHOWN = 50;
const ARRANGE = '/api/v2/products/{shopId}';

export default function ProductsPage() {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const mayWrite = useMay('products:write');
  const [search, change] = useSearchState();
  const categories = useCategories().data ?? [];
  const servers = useServers();
  const { q, categoryId, serverId, isActive, cursor } = search;
  const filters = { q, categoryId, serverId, isActive, cursor, limit: SHOWN };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'products', filters),
    queryFn: () =>
      api.page('/api/v2/products/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }) as Promise<
        Page<Product>
      >,
    placeholderData: keepPreviousData,
  });
  const base = `/${shop.uniqueName}/products`;
  const isFiltered = [q, categoryId, serverId, isActive].some((value) => value !== undefined);
  return (
    <>
      <Head title={t('products.title')}>
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => go(`${base}/new`)}>
            {t('products.new')}
          </Button>
        )}
      </Head>
      <nav className="tabs" aria-label={t('products.categories')}>
        <Link to={base} aria-current={categoryId === undefined ? 'page' : undefined}>
          {t('products.all')}
        </Link>
        {categories.map(({ id, name }) => (
          <Link key={id} to={base} search={{ categoryId: id }} aria-current={categoryId === id ? 'page' : undefined}>
            {name}
          </Link>
        ))}
        {mayWrite && <Link to={`${base}/categories`}>{t('products.editCategories')}</Link>}
        <Link to={`${base}/tiers`}>{t('products.tiers')}</Link>
      </nav>
      <section className="card flush">
        <SearchTools label={t('products.searchHint')}>
          {servers.length > 0 && (
            <Filter
              label={t('products.server')}
              name="serverId"
              options={servers.map(({ id, name }) => [id, name] as const)}
            />
          )}
          <Filter
            label={t('products.stateTitle')}
            name="isActive"
            options={[
              ['true', t('products.state.onSale')],
              ['false', t('products.state.hidden')],
            ]}
          />
        </SearchTools>
        <Loaded query={query} rows={6}>
          {({ data, total, next }) =>
            data.length === 0 ? (
              isFiltered ? (
                <Empty title={t('products.nothingFound')}>
                  <Button onClick={() => change({ q: '', categoryId: '', serverId: '', isActive: '', cursor: '' })}>
                    {t('products.showAll')}
                  </Button>
                </Empty>
              ) : (
                <Empty title={t('products.none')} text={t('products.noneText')}>
                  {mayWrite && (
                    <Link className="btn main" to={`${base}/new`}>
                      {t('products.new')}
                    </Link>
                  )}
                </Empty>
              )
            ) : (
              <>
                <Table products={data} isWhole={!isFiltered && cursor === undefined && next === null} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function Table({
  products,
  isWhole,
}: {
  readonly products: readonly Product[];
  /** Whether these are all products of the shop: only then their order can be changed. */
  readonly isWhole: boolean;
}) {
  const t = useT();
  const shop = useShop();
  const mayWrite = useMay('products:write');
  const names = new Map(useServers().map(({ id, name }) => [id, name]));
  const categories = new Map((useCategories().data ?? []).map(({ id, name }) => [id, name]));
  const money = useMoney();
  const tell = useTell();
  const refresh = useRefresh();
  const chosen = useChosen(mayWrite ? products.map(({ id }) => id) : []);
  const arrange = async (places: Body<'patch', typeof ARRANGE>['products']): Promise<void> => {
    await api.patch(ARRANGE, { path: { shopId: shop._id }, body: { products: places } });
    await refresh(...shopKey(shop._id, 'products'));
  };
  const show = async (ids: readonly string[], isActive: boolean): Promise<void> => {
    const changed = products.filter((product) => ids.includes(product.id) && product.isActive !== isActive);
    if (changed.length === 0) return;
    const set = (next: boolean): Promise<void> =>
      arrange(changed.map(({ id: productId }) => ({ productId, isActive: next })));
    await set(isActive);
    const [only] = changed;
    const said =
      changed.length === 1 && only !== undefined
        ? t(isActive ? 'products.isShown' : 'products.isHidden', { name: only.name })
        : t(isActive ? 'products.areShown' : 'products.areHidden', { count: changed.length });
    tell(said, () => void set(!isActive));
  };
  const move = (index: number, by: -1 | 1): Promise<void> =>
    arrange(moved(products, index, by).map(({ id: productId }, position) => ({ productId, position })));
  return (
    <>
      <table className="t">
        <thead>
          <tr>
            {mayWrite && <td className="pick hide-s">{chosen.boxOfAll}</td>}
            <th scope="col">{t('products.product')}</th>
            <th scope="col" className="r">
              {t('products.price')}
            </th>
            <th scope="col">{t('products.stateTitle')}</th>
            <th scope="col">{t('products.servers')}</th>
            <th scope="col" className="r">
              {t('products.stock')}
            </th>
            {mayWrite && (
              <th scope="col">
                <span className="sr">{t('products.acts')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {products.map((product, index) => (
            <tr key={product.id} className={chosen.ids.includes(product.id) ? 'sel' : undefined}>
              {mayWrite && <td className="pick hide-s">{chosen.box(product.id, product.name)}</td>}
              <td>
                <span className="cell">
                  <Picture imageId={product.imageIds[0]} />
                  <span className="two-l">
                    <Link className="go" to={`/${shop.uniqueName}/products/${product.id}`}>
                      {product.name}
                    </Link>
                    <small>{categories.get(product.categoryId ?? '') ?? t('products.noCategory')}</small>
                  </span>
                </span>
              </td>
              <td className="r">
                {product.compareAtPrice !== null && <s className="dim">{money(product.compareAtPrice)}</s>}{' '}
                <b className="b6">{money(product.price)}</b>
              </td>
              <td className="full">
                <ProductState product={product} />
              </td>
              <td className="muted hide-s">
                {product.serverIds.length === 0
                  ? t('products.everywhere')
                  : product.serverIds.map((id) => names.get(id) ?? '?').join(', ')}
              </td>
              <td className="r muted hide-s">{product.stock ?? '∞'}</td>
              {mayWrite && (
                <td className="r hide-s">
                  <span className="row inline-end">
                    {isWhole && (
                      <MoveButtons
                        index={index}
                        count={products.length}
                        up={t('products.moveUp', { name: product.name })}
                        down={t('products.moveDown', { name: product.name })}
                        onMove={(by) => void move(index, by)}
                      />
                    )}
                    <Button
                      look="plain"
                      aria-label={t(product.isActive ? 'products.hideOne' : 'products.showOne', { name: product.name })}
                      onClick={() => void show([product.id], !product.isActive)}
                    >
                      {t(product.isActive ? 'products.hide' : 'products.show')}
                    </Button>
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <BulkBar chosen={chosen} all={products.length}>
        <Button onClick={() => void show(chosen.ids, false)}>{t('products.hide')}</Button>
        <Button onClick={() => void show(chosen.ids, true)}>{t('products.show')}</Button>
      </BulkBar>
    </>
  );
}
