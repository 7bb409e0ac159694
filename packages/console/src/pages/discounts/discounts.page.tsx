import { type Schemas } from '@shop-platform/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unchecked } from '../../api/client.ts';
import { Link, useGo, useSearchState } from '../../app/links.tsx';
import { Filter, SearchTools } from '../../app/list-tools.tsx';
import { Pager } from '../../app/pager.tsx';
import { shopKey } from '../../app/queries.ts';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Button, Head, Time } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Kinds, useReduction } from './kinds.tsx';
import { DiscountState } from './state.tsx';

const SHOWN = 50;

export default function DiscountsPage() {
  const t = useT();
  const shop = useShop();
  const go = useGo();
  const mayWrite = useMay('discounts:write');
  const [search, change] = useSearchState();
  const { q, type, isActive, cursor } = search;
  const filters = { q, type, isActive, cursor, limit: SHOWN };
  const query = useQuery({
    queryKey: shopKey(shop._id, 'discounts', filters),
    queryFn: () => api.page('/api/v2/discounts/{shopId}', { path: { shopId: shop._id }, query: unchecked(filters) }),
    placeholderData: keepPreviousData,
  });
  const base = `/${shop.uniqueName}/discounts`;
  const isFiltered = [q, type, isActive].some((value) => value !== undefined);
  return (
    <>
      <Head title={t('discounts.title')}>
        {mayWrite && (
          <Button look="main" icon="plus" onClick={() => go(`${base}/new`)}>
            {t('discounts.new')}
          </Button>
        )}
      </Head>
      <Kinds current="codes" />
      <section className="card flush">
        <SearchTools label={t('discounts.code')}>
          <Filter
            label={t('discounts.state')}
            name="isActive"
            options={[
              ['true', t('discounts.on')],
              ['false', t('discounts.state.off')],
            ]}
          />
          <Filter
            label={t('discounts.type')}
            name="type"
            options={[
              ['percent', t('discounts.percent')],
              ['fixed', t('discounts.fixed')],
            ]}
          />
        </SearchTools>
        <Loaded query={query}>
          {({ data, total, next }) =>
            data.length > 0 ? (
              <>
                <Codes discounts={data} />
                <Pager total={total} shown={data.length} next={next} />
              </>
            ) : isFiltered ? (
              <Empty title={t('discounts.nothingFound')}>
                <Button onClick={() => change({ q: '', type: '', isActive: '', cursor: '' })}>
                  {t('discounts.showAll')}
                </Button>
              </Empty>
            ) : (
              <Empty title={t('discounts.none')} text={t('discounts.noneText')} />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function Codes({ discounts }: { readonly discounts: readonly Schemas['DiscountDto'][] }) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const reduction = useReduction();
  const detailsOf = ({ type, value, maxDiscount, minOrderValue, firstPurchaseOnly }: Schemas['DiscountDto']): string =>
    [
      reduction(type, value),
      maxDiscount === null ? null : t('discounts.atMost', { amount: money(maxDiscount) }),
      minOrderValue === null ? null : t('discounts.atLeast', { amount: money(minOrderValue) }),
      firstPurchaseOnly ? t('discounts.firstOnly') : null,
    ]
      .filter((part) => part !== null)
      .join(', ');
  return (
    <table className="t">
      <thead>
        <tr>
          <th scope="col">{t('discounts.code')}</th>
          <th scope="col">{t('discounts.takesOff')}</th>
          <th scope="col">{t('discounts.state')}</th>
          <th scope="col" className="r">
            {t('discounts.used')}
          </th>
          <th scope="col">{t('discounts.ends')}</th>
        </tr>
      </thead>
      <tbody>
        {discounts.map((discount) => (
          <tr key={discount.id}>
            <td>
              <Link className="go mono" to={`/${shop.uniqueName}/discounts/${discount.id}`}>
                {discount.code}
              </Link>
            </td>
            <td className="muted full">{detailsOf(discount)}</td>
            <td>
              <DiscountState discount={discount} />
            </td>
            <td className="r">
              {discount.used}{' '}
              <span className="dim">{t('discounts.of', { most: String(discount.maxUses ?? '∞') })}</span>
            </td>
            <td className="muted nowrap hide-s">
              {discount.endsAt === null ? t('discounts.never') : <Time at={discount.endsAt} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
