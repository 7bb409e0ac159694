import { Link } from '../../app/links.tsx';
import { useMay, useMoney, useShop } from '../../app/shop.tsx';
import { useLanguage, useT } from '../../lang/language.tsx';

/** Codes and sales. */
export function Kinds({ current }: { readonly current: 'codes' | 'sales' }) {
  const t = useT();
  const base = `/${useShop().uniqueName}/discounts`;
  const maySales = useMay('sales:read');
  return (
    <nav className="tabs" aria-label={t('discounts.kinds')}>
      <Link to={base} aria-current={current === 'codes' ? 'page' : undefined}>
        {t('discounts.codes')}
      </Link>
      {maySales && (
        <Link to={`${base}/sales`} aria-current={current === 'sales' ? 'page' : undefined}>
          {t('discounts.sales')}
        </Link>
      )}
    </nav>
  );
}

/** `10 %`, or an amount. */
export function useReduction(): (type: string, value: number) => string {
  const money = useMoney();
  const { language } = useLanguage();
  return (type, value) => (type === 'percent' ? `${value.toLocaleString(language)} %` : money(value));
}
