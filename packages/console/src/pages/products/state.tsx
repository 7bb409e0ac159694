import { useLanguage, useT } from '../../lang/language.tsx';
import { when } from '../../ui/formats.ts';
import { Badge } from '../../ui/parts.tsx';
import { type Product } from './queries.ts';

const isPast = (instant: string): boolean => Date.parse(instant) <= Date.now();

/** Whether buyers can buy a product, and why not. */
export function ProductState({ product }: { readonly product: Product }) {
  const t = useT();
  const { language } = useLanguage();
  const [from, until] = [product.availableFrom, product.availableUntil];
  if (!product.isActive) return <Badge tone="ring">{t('products.state.hidden')}</Badge>;
  if (until !== null && isPast(until)) return <Badge tone="ring">{t('products.state.over')}</Badge>;
  if (from !== null && !isPast(from)) {
    return <Badge tone="info">{t('products.state.from', { time: when(from, language) })}</Badge>;
  }
  if (product.stock === 0) return <Badge tone="warn">{t('products.state.soldOut')}</Badge>;
  return <Badge tone="good">{t('products.state.onSale')}</Badge>;
}
